# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Arbitrary files on disk give a result or one of our errors, quickly and without side effects."""

from __future__ import annotations

import json
import os
import re
from contextlib import redirect_stderr, redirect_stdout
from datetime import datetime, timezone
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltasource import Checkpoint, MissingCommitError, schema_log
from deltasource.__main__ import main
from deltasource._report.page import render
from support.checkpoint_samples import TABLE, checkpoint, offset, put, table
from support.hostile import NESTED, SCHEMA, TEXT, VALUES, assert_only_our_errors
from support.report_samples import Files, life

NOW: Final = datetime(2026, 11, 22, tzinfo=timezone.utc)
ENTRY: Final = {
    "tableId": TABLE,
    "deltaCommitVersion": 4,
    "dataSchemaJson": SCHEMA,
    "partitionSchemaJson": SCHEMA,
}
LATER: Final = {
    **ENTRY,
    "deltaCommitVersion": 7,
    "dataSchemaJson": SCHEMA.replace(
        "[]", '[{"name":"\\ud800","type":"long","nullable":true,"metadata":{}}]'
    ),
}

FILES: Final = {
    "checkpoint/offsets/0": f'v1\n{{"batchTimestampMs":1}}\n{offset(2)}',
    "checkpoint/offsets/1": f'v2\n{{"batchTimestampMs":1}}\norders:{offset(3)}',
    "checkpoint/commits/0": 'v1\n{"nextBatchWatermarkMs":0}',
    "checkpoint/sources/0/start": (
        f'{{"tableId":"{TABLE}","startOption":"Latest","version":3,"inSnapshot":false,"firstEnd":null}}'
    ),
    f"checkpoint/schemas/_schema_log_{TABLE}/0": f"v1\n{json.dumps(ENTRY)}",
    f"checkpoint/schemas/_schema_log_{TABLE}/1": f"v1\n{json.dumps(LATER)}",
    f"orders/_delta_log/{0:020}.json": (
        f'{{"metaData":{{"id":"{TABLE}","configuration":'
        '{"delta.logRetentionDuration":"1 day"}}}'
    ),
    f"orders/_delta_log/{2:020}.json": (
        '{"commitInfo":{"inCommitTimestamp":5}}\n{"add":{"path":"p","size":5,"dataChange":true,'
        '"deletionVector":{"storageType":"u","pathOrInlineDv":"vBn[lx{q8@P<9BNH/isA"}}}'
    ),
    f"orders/_delta_log/{3:020}.json": (
        '{"commitInfo":{"operation":"VACUUM START",'
        '"operationParameters":{"specifiedRetentionMillis":0}}}\n'
        '{"remove":{"path":"p","deletionTimestamp":5,'
        '"deletionVector":{"storageType":"u","pathOrInlineDv":"vBn[lx{q8@P<9BNH/isA"}}}'
    ),
    f"orders/_delta_log/{3:020}.crc": f'{{"metadata":{{"id":"{TABLE}"}}}}',
}
"""The files that are read, each with valid content."""


@pytest.mark.parametrize(
    "path",
    [
        "",
        "a\0b",
        "\ud800",
        "a\udcff",
        "a" * 300,
        "a/" * 3000,
        "~",
        "file:",
        "file://[",
        "file:///%00",
        "file:///%ff%ud",
        "s3://[",
        "loop",
        "loop/checkpoint",
        "a file",
    ],
)
def test_an_invalid_path_is_reported(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every reader refuses every kind of invalid path with one of our errors."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "a file").touch()
    fine = checkpoint(tmp_path / "fine", offset(3), done=[0])
    assert_only_our_errors(lambda: list(Checkpoint(path).batches()))
    assert_only_our_errors(lambda: Checkpoint(path).starts())
    assert_only_our_errors(lambda: Checkpoint(path).schema_log())
    assert_only_our_errors(schema_log, path)
    assert_only_our_errors(lambda: Checkpoint(fine).backlog(path))


def changed(valid: str) -> st.SearchStrategy[bytes]:
    """Return a text with one of its lines or values, at any depth, replaced by a random one."""
    places = [m.span(1) for m in re.finditer(r"(?:^|:)([^{}:,\n]+|\{.*\})", valid, re.MULTILINE)]
    anything = VALUES.map(json.dumps) | NESTED | TEXT.map(ascii)

    def put_in(place: tuple[int, int], text: str) -> bytes:
        return os.fsencode(valid[: place[0]] + text + valid[place[1] :])

    return st.builds(put_in, st.sampled_from(places), anything)


def spoil(file: Path, content: bytes | str) -> None:
    """Replace a file by bytes, a folder, a broken link or nothing."""
    file.unlink()
    match content:
        case "a folder":
            file.mkdir()
        case "a loop":
            file.symlink_to(file.name)
        case "a broken link":
            file.symlink_to("nowhere")
        case bytes(text):
            file.write_bytes(text)
        case _:
            pass


def traces(folder: Path) -> dict[str, object]:
    """Return the paths in a folder with their modification times."""
    found = {str(path): path.lstat().st_mtime_ns for path in folder.rglob("*")}
    return {**found, "": folder.stat().st_mtime_ns}


def printed(*line: str) -> None:
    """Run a command as a shell does, with output that must be encodable."""
    with redirect_stdout(TextIOWrapper(BytesIO(), "utf-8")), redirect_stderr(StringIO()):
        assert main(line) in (0, 3)


@given(st.data())
def test_any_file_may_be_damaged(data: st.DataObject) -> None:
    """For each kind of damage, every reader returns or raises our error, and writes nothing."""
    name = data.draw(st.sampled_from(sorted(FILES)))
    others = st.sampled_from(["a folder", "a loop", "a broken link", "missing"])
    content = data.draw(changed(FILES[name]) | st.binary(max_size=40) | others)
    with TemporaryDirectory() as place:
        root = Path(place)
        for file, valid in FILES.items():
            put((root / file).parent, Path(file).name, valid)
        spoil(root / name, content)
        before = traces(root)
        folder, orders = root / "checkpoint", root / "orders"
        assert_only_our_errors(lambda: list(Checkpoint(folder).batches()))
        assert_only_our_errors(lambda: Checkpoint(folder).starts())
        assert_only_our_errors(lambda: Checkpoint(folder).schema_log())
        assert_only_our_errors(lambda: Checkpoint(folder).backlog(orders))
        assert_only_our_errors(lambda: render(life(Files(folder, orders)), "", now=NOW))
        printed("offsets", str(folder), "--format", "csv")
        printed("schema-log", str(folder / "schemas"), "--diff")
        printed("backlog", str(folder), str(orders))
        assert traces(root) == before


def test_a_version_of_20_digits_is_a_version(tmp_path: Path) -> None:
    """The latest commit may have any version that fits into its file name."""
    folder = checkpoint(tmp_path / "c", offset(0), done=[0])
    orders = table(tmp_path / "orders", [5])
    put(orders / "_delta_log", "9" * 20 + ".json", "{}")
    with pytest.raises(MissingCommitError, match=f"versions 0 and {10**20 - 1} are there"):
        Checkpoint(folder).backlog(orders)
