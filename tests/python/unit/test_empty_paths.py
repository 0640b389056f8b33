# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Paths that are empty or of another type, which Python would take for the current folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import deltasource
from deltasource import Checkpoint, OptionsError, SchemaTracking
from deltasource.__main__ import main
from deltasource.testing import TableHistory, replay_last_batch
from support.fake_readers import Reader, Session
from support.fake_writers import written

START: Any = print
SPARK: Any = Session(read=Reader(), readStream=Reader())
CALLS: dict[str, tuple[Callable[[Any], object], str]] = {
    "Checkpoint": (Checkpoint, "path"),
    "backlog": (lambda path: Checkpoint("c").backlog(path), "table"),
    "Checkpoint.schema_log": (lambda path: Checkpoint("c").schema_log(path or " "), "location"),
    "schema_log": (deltasource.schema_log, "location"),
    "report": (deltasource.report, "checkpoint"),
    "report of a table": (lambda path: deltasource.report("c", path or " "), "table"),
    "run_until": (lambda path: deltasource.run_until(START, location=path or ""), "location"),
    "read_events": (deltasource.read_events, "path"),
    "prometheus": (deltasource.prometheus, "path"),
    "SchemaTracking": (lambda path: SchemaTracking(location=path), "location"),
    "read_stream": (lambda path: deltasource.read_stream(SPARK, path), "path_or_table"),
    "stream_changes": (lambda path: deltasource.stream_changes(SPARK, path), "path_or_table"),
    "read_changes": (lambda path: deltasource.read_changes(SPARK, path, start=0), "path_or_table"),
    "write_stream": (lambda path: written(path, checkpoint="c"), "path_or_table"),
    "checkpoint of write_stream": (lambda path: written("t", checkpoint=path), "checkpoint"),
    "TableHistory.apply": (lambda path: TableHistory().apply(SPARK, path), "path_or_table"),
    "replay_last_batch": (replay_last_batch, "checkpoint"),
}


@pytest.mark.parametrize("given", ["", " ", None, 7])
@pytest.mark.parametrize("name", CALLS)
def test_an_empty_path_is_refused(name: str, given: object) -> None:
    """Each function names its argument before it reads anything."""
    call, option = CALLS[name]
    with pytest.raises(OptionsError) as error:
        call(given)
    assert [one.option for one in error.value.problems] == [option]


@pytest.mark.parametrize(
    ("line", "argument"),
    [
        (["offsets", ""], "checkpoint"),
        (["schema-log", ""], "location"),
        (["backlog", "", "./t"], "checkpoint"),
        (["backlog", "c", ""], "table"),
        (["report", " ", "./t"], "checkpoint"),
        (["report", "c", ""], "table"),
        (["watch", ""], "file_or_address"),
    ],
)
def test_a_command_refuses_an_empty_path(
    line: list[str], argument: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would be the current folder; usually, a variable of the shell is not set."""
    with pytest.raises(SystemExit) as ended:
        main(line)
    assert ended.value.code == 2
    error = f"argument {argument}: must not be empty: is a variable of the shell not set?\n"
    assert capsys.readouterr().err.endswith(error)
