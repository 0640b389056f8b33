# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Schemes that fsspec does not know, and libraries that are not installed."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from deltasource import Checkpoint, RemotePathError


@pytest.mark.parametrize(
    "path",
    ["nowhere://b/c", "hdfs:/c", "s3a:b", "file://host/c", "s3://a/b::file:///c"],
)
def test_a_scheme_that_fsspec_does_not_know_needs_a_session(path: str) -> None:
    """So does a URI without a host, and one that fsspec would take for two."""
    with pytest.raises(RemotePathError, match=r"the path must be local, got .*pass a session"):
        Checkpoint(path)


@pytest.mark.parametrize(
    ("path", "missing", "line"),
    [
        ("s3a://b/c", "s3fs", "pip install 'fsspec>=2024.2' s3fs"),
        ("gs://b/c", "gcsfs", "pip install 'fsspec>=2024.2' gcsfs"),
        ("ABFSS://c@a.dfs.core.windows.net/c", "adlfs", "pip install 'fsspec>=2024.2' adlfs"),
        ("s3://b/c", "fsspec", "pip install 'fsspec>=2024.2' s3fs"),
        ("nowhere://b/c", "fsspec", "pip install 'fsspec>=2024.2'"),
    ],
)
def test_a_missing_library_is_named_with_the_line_to_install(
    path: str, missing: str, line: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """fsspec itself may be missing, or the library of one store."""
    # fsspec keeps the classes that it has imported.
    monkeypatch.setattr(import_module("fsspec.registry"), "_registry", {})
    for name in (missing, f"{missing}.registry"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(RemotePathError) as raised:
        Checkpoint(path)
    assert raised.value.args[0] == (
        f"cannot read {path}: {missing} is not installed. Run {line}. Or, in Python, pass a "
        "session that can read it (`spark=`), or copy it to a local folder"
    )


def test_a_store_without_a_known_library_has_the_words_of_fsspec() -> None:
    """fsspec names the library of every scheme that it knows."""
    with pytest.raises(
        RemotePathError, match=r"cannot read oss://b/c: Install ossfs .* Or, in Python, pass"
    ):
        Checkpoint("oss://b/c")


def test_importing_the_package_does_not_import_fsspec() -> None:
    """fsspec is imported when the first remote path is opened."""
    code = (
        "import sys, deltasource, deltasource.__main__; deltasource.Checkpoint('c'); "
        "print('fsspec' in sys.modules); deltasource.Checkpoint('memory://c'); "
        "print('fsspec' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
