# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Arguments of `deltasource.testing` that are refused, without a session."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from deltasource import MissingLibraryError, OptionsError
from deltasource.testing import assert_exactly_once, local_session

BATCH: Any = SimpleNamespace(isStreaming=False)
STREAM: Any = SimpleNamespace(isStreaming=True)


@pytest.mark.parametrize(
    ("given", "wrong"),
    [
        ({"actual": 5, "keys": "id"}, ["actual must be a batch DataFrame"]),
        ({"actual": STREAM, "keys": "id"}, ["actual must be a batch DataFrame"]),
        ({"actual": BATCH, "expected": [1]}, ["expected must be a batch DataFrame"]),
        ({"actual": BATCH, "keys": 5}, ["keys must be a column name, or a list of them"]),
        ({"actual": BATCH, "keys": [5]}, ["keys must be a column name, or a list of them"]),
        ({"actual": BATCH}, ["keys must be given if there are no expected rows"]),
        ({"actual": None, "expected": 5, "keys": 5}, ["actual", "expected", "keys"]),
    ],
)
def test_what_is_no_batch_of_rows_is_refused(given: dict[str, Any], wrong: list[str]) -> None:
    """Each argument is named, and all of them at once."""
    with pytest.raises(OptionsError) as error:
        assert_exactly_once(**given)
    problems = list(map(str, error.value.problems))
    assert len(problems) == len(wrong)
    assert all(one.startswith(words) for one, words in zip(problems, wrong, strict=True))


def test_a_session_without_pyspark_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """An invalid argument is reported first."""
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(MissingLibraryError, match=r"pyspark is not installed: .*`spark`"):
        local_session().__enter__()
    with pytest.raises(OptionsError, match="confs must map"):
        local_session(confs={"a": 5}).__enter__()  # type: ignore[dict-item]
