# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The command `watch`: the view of a file that grows, its output, and its errors."""

from __future__ import annotations

import importlib.util
import json
import re
import socket
from collections.abc import Callable
from contextlib import closing
from importlib.machinery import ModuleSpec
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from rich.console import Console

from deltasource import ConnectError, Event, OptionsError
from deltasource.__main__ import main
from deltasource._cli.watch import follow
from deltasource._views.connect_queries import ConnectQueries
from deltasource._views.event_tail import EventTail
from support.event_files import written
from support.view_samples import SEVERAL, batch, failed, started

SESSION = "2e1d0f0c-0000-4000-8000-000000000000"


@pytest.fixture
def events(tmp_path: Path) -> Path:
    """Return a file with the events of several queries."""
    return written(tmp_path / "events.jsonl", *SEVERAL)


def output(capsys: pytest.CaptureFixture[str], *line: str, code: int = 0) -> tuple[str, str]:
    """Run the command, which must exit with this code; return its output."""
    assert main(["watch", *line]) == code
    return capsys.readouterr()


def test_skipped_lines_are_shown(events: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The terminal has a line about them, and a pipe gets it on standard error."""
    with events.open("a") as file:
        file.write("x\n")
    note = "lines skipped, which are not events: 1; "
    assert output(capsys, str(events))[1].startswith(note)
    console = Console(file=StringIO(), width=80, height=24, force_terminal=True)
    with closing(EventTail(events)) as tail:
        follow(tail, title="t", console=console, wait=Mock(side_effect=KeyboardInterrupt))
    assert isinstance(console.file, StringIO)
    assert note in console.file.getvalue()


def test_the_view_follows_a_growing_file(events: Path) -> None:
    """Each turn draws what the file says by then, until Ctrl-C."""
    console = Console(file=StringIO(), width=80, height=24, force_terminal=True)
    drawn: list[str] = []
    added: list[list[Event]] = [
        [started("late")],
        [batch(7, name="late")],
        [failed("late", message="boom")],
    ]

    def wait(_: float) -> None:
        assert isinstance(console.file, StringIO)
        text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", console.file.getvalue())
        drawn.append("".join(re.findall(r"late .*|boom", text[text.rindex("events.jsonl") :])))
        if not added:
            raise KeyboardInterrupt
        written(events, *added.pop(0))

    with closing(EventTail(events)) as tail:
        tail.poll()
        found = follow(tail, title="events.jsonl", console=console, wait=wait)
    assert [re.sub(" +", " ", line).strip() for line in drawn[:3]] == [
        "",
        "late running batch -",
        "late running batch 7 10 rows/s █",
    ]
    assert drawn[3].endswith("boom")
    assert [one.state for one in found.values()] == ["failed"]


def test_the_output_of_a_pipe_is_one_snapshot(
    events: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a terminal, the command prints the current state and ends."""
    monkeypatch.setenv("COLUMNS", "80")
    out, err = output(capsys, str(events))
    assert "items            running  batch 1,203    49,380 rows/s  █" in out.splitlines()
    assert (err, "\x1b" in out) == ("", False)
    assert output(capsys, str(events), "--once")[0].splitlines()[2:] == out.splitlines()[2:]


def test_a_snapshot_as_json(events: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A program gets plain numbers; what is unknown is null."""
    out, _ = output(capsys, str(events), "--format", "json")
    rows = {row["query"]: row for row in json.loads(out)["rows"]}
    assert rows["items"] == {
        "query": "items",
        "state": "running",
        "batch": 1203,
        "rows_per_second": 49380.0,
        "lag_versions": 4,
        "lag_files": 7,
        "lag_bytes": 99200005,
        "lag_seconds": 5400.25,
        "snapshot_percent": None,
        "snapshot_seconds_left": None,
        "error": None,
        "updated": "2026-11-21T17:00:00+00:00",
    }
    out, _ = output(capsys, str(events), "--format", "csv")
    assert out.splitlines()[1].startswith("orders_backfill,running,3,")


def test_an_empty_file_has_no_query(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The monitor creates its file with the first event; until then one may create it."""
    (tmp_path / "empty").touch()
    assert output(capsys, str(tmp_path / "empty"))[0].splitlines()[1] == "no query yet"


def test_ctrl_c_exits_with_0(
    events: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last view stays on the screen."""
    interrupt = Mock(side_effect=KeyboardInterrupt)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    # Not the function of the module `time`: threads of Py4J call that one, too.
    monkeypatch.setattr("deltasource._cli.watch.time", SimpleNamespace(sleep=interrupt))
    monkeypatch.setenv("COLUMNS", "80")
    assert "payments" in output(capsys, str(events))[0].splitlines()[-6]


@pytest.mark.parametrize(
    ("source", "code", "text"),
    [
        (".", 3, "this is a folder: give the file that a query writes when it is monitored"),
        ("sc://host:1", 2, "with the ids of the session"),
        ("sc:///;session_id=a", 2, "must be an address such as"),
        ("sc://host:x/;session_id=a", 2, "must be an address such as"),
    ],
)
def test_a_bad_source_is_refused(
    source: str, code: int, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error says what a source must be; an address is wrong by itself."""
    out, err = output(capsys, source, code=code)
    assert (out, err.startswith("[DELTASOURCE_INVALID_OPTIONS]"), text in err) == ("", True, True)


def test_a_file_without_events_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first line that is not an event is named."""
    (tmp_path / "log").write_text("Caused by: java.lang.Error\n")
    _, err = output(capsys, str(tmp_path / "log"), code=3)
    assert err.startswith(f"[DELTASOURCE_MALFORMED_PROGRESS] {tmp_path}/log: no line of this file")
    assert f"{tmp_path}/log, line 1: this is not JSON" in err


@pytest.mark.parametrize("content", ["hello world…", "\x01\x02" * 10_000, "5"])
def test_a_file_without_a_newline_that_is_none_of_events_is_refused(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its only line cannot become an event, however long one waits for its end."""
    file = tmp_path / "nonl.jsonl"
    file.write_text(content)
    _, err = output(capsys, str(file), code=3)
    assert f"{file}: no line of this file is an event" in err
    assert f"{file}, line 1: " in err


@pytest.mark.parametrize("content", ["{", '{"event":"star'])
def test_the_first_event_may_be_half_written(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its writer is still writing it, or was killed."""
    (tmp_path / "torn").write_text(content)
    out, err = output(capsys, str(tmp_path / "torn"))
    assert (out.splitlines()[1], err) == ("no query yet", "")


def test_a_server_that_is_not_there_is_reported_at_once() -> None:
    """Spark itself would try for minutes. The message contains no token."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(
        ConnectError, match=rf"sc://127\.0\.0\.1:{port}/ cannot be reached"
    ) as error:
        ConnectQueries(f"sc://127.0.0.1:{port}/;session_id={SESSION};token=hunter2")
    assert "hunter2" not in str(error.value)
    with pytest.raises(OptionsError) as refused:
        ConnectQueries("sc://127.0.0.1:1/;token=hunter2")
    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    ("library", "source", "extra"),
    [("rich", "events.jsonl", "cli"), ("grpc", f"sc://h:1/;session_id={SESSION}", "connect")],
)
def test_a_missing_library_is_named(
    library: str,
    source: str,
    extra: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The error has the line that installs it."""
    find: Callable[..., ModuleSpec | None] = importlib.util.find_spec

    def without(name: str, *rest: Any) -> ModuleSpec | None:
        return None if name == library else find(name, *rest)

    monkeypatch.setattr(importlib.util, "find_spec", without)
    _, err = output(capsys, source, code=3)
    assert err.startswith("[DELTASOURCE_MISSING_LIBRARY] ")
    assert f" installs it, as the extra `{extra}` of deltasource does" in err
