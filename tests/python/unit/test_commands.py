# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The commands that read checkpoints: output and exit codes."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from pathlib import Path

import pytest

from deltasource.__main__ import main
from support.checkpoint_samples import METADATA, TABLE, checkpoint, offset, put

SCHEMA = '{"type":"struct","fields":[{"name":"id","type":"long","nullable":true,"metadata":{}}]}'

MARKUP = '"[bold]5[/bold]"'
"""The offset of another source, which is JSON; rich would draw it in bold."""


@pytest.fixture
def query(tmp_path: Path) -> str:
    """Return a checkpoint: a committed batch in the snapshot, a planned one with two sources."""
    planned = [offset(3), MARKUP]
    return str(checkpoint(tmp_path / "c", offset(1, 4, snapshot=True), planned, done=[0]))


def output(capsys: pytest.CaptureFixture[str], *line: str, code: int = 0) -> tuple[str, str]:
    """Run a command that must exit with this code; return its output."""
    assert main(line) == code
    return capsys.readouterr()


def terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """Make standard output look like a terminal."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))


def drawn(capsys: pytest.CaptureFixture[str], folder: str) -> list[str]:
    """Return the lines of a drawn table, without bold markup."""
    out, _ = output(capsys, "offsets", folder)
    return [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", out).splitlines()]


def test_offsets_are_listed_as_text(query: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The output has a line for each batch and source, oldest first, in columns."""
    out, err = output(capsys, "offsets", query)
    assert out.splitlines() == [
        "batch  committed  planned_at            source  version  position  in_snapshot  other",
        "    0  yes        2026-11-21T17:02:36Z  0             1  file 4    yes          -",
        "    1  no         2026-11-21T17:02:36Z  0             3  start     no           -",
        f"    1  no         2026-11-21T17:02:36Z  1             -  -         -            {MARKUP}",
    ]
    assert err == ""
    out, _ = output(capsys, "offsets", query, "--last", "1")
    assert [line.split()[0] for line in out.splitlines()] == ["batch", "1", "1"]


def test_a_delta_query_fits_into_80_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Delta offsets fit into 80 columns, drawn or plain, with the same content."""
    folder = str(checkpoint(tmp_path, offset(1, 4, snapshot=True), offset(12345), done=[0]))
    plain, _ = output(capsys, "offsets", folder)
    terminal(monkeypatch, 80)
    head, line, *rest = drawn(capsys, folder)
    assert (set(line), len(line) <= 80) == ({"─"}, True)
    assert [head, *rest] == plain.splitlines()


def test_wide_cells_are_folded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A drawn table is complete, however narrow the terminal is."""
    folder = str(checkpoint(tmp_path, [offset(1), '{"topic":{"0":12345,"1":67890}}']))
    terminal(monkeypatch, 60)
    lines = drawn(capsys, folder)
    assert max(map(len, lines)) <= 60
    assert "".join(line.split()[-1] for line in lines).endswith('{"topic":{"0":12345,"1":67890}}')


def test_offsets_are_listed_as_json_and_csv(query: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The same rows are printed in machine-readable formats, and nothing else."""
    out, _ = output(capsys, "offsets", query, "--format", "json")
    document = json.loads(out)
    assert (document["schema_version"], len(document["rows"])) == (1, 3)
    assert document["rows"][0] == {
        "batch": 0,
        "committed": True,
        "planned_at": "2026-11-21T17:02:36Z",
        "source": "0",
        "version": 1,
        "position": "file 4",
        "index": 4,
        "in_snapshot": True,
        "table_id": TABLE,
        "other": None,
    }
    out, _ = output(capsys, "offsets", query, "--format", "csv")
    (first, _, third) = csv.DictReader(io.StringIO(out))
    assert (first["committed"], first["other"]) == ("true", "")
    assert (third["version"], third["other"]) == ("", MARKUP)


def test_a_new_checkpoint_is_no_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """If nothing was planned, nothing is listed, and a message says so."""
    folder = str(checkpoint(tmp_path))
    assert output(capsys, "offsets", folder) == ("", f"{folder}: no batch has been planned yet\n")
    out, _ = output(capsys, "offsets", folder, "--format", "json")
    assert json.loads(out)["rows"] == []
    put(tmp_path / "offsets", "0", f"v1\n{METADATA}\n-")
    out, _ = output(capsys, "offsets", folder, "--format", "csv")
    assert out.splitlines()[1] == "0,false,2026-11-21T17:02:36Z,,,,,,,"


def test_a_terminal_gets_a_drawn_table(
    query: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a terminal rich draws the table if it is installed; it is optional."""
    terminal(monkeypatch, 200)
    lines = drawn(capsys, query)
    assert set(lines[1]) == {"─"}
    assert lines[-1].endswith(MARKUP)

    def missing(_name: str) -> None:
        return None

    monkeypatch.setattr("deltasource._cli.drawing.find_spec", missing)
    plain, _ = output(capsys, "offsets", query)
    assert plain.startswith("batch  committed")


def test_an_offset_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """The output is one sentence, or the sentence and the parts of the offset."""
    sentence = "Everything before version 7 has been read, and nothing of version 7 yet."
    assert output(capsys, "explain-offset", offset(7)) == (f"{sentence}\n", "")
    out, _ = output(capsys, "explain-offset", offset(7), "--format", "json")
    assert json.loads(out)["rows"] == [
        {
            "version": 7,
            "position": "start",
            "index": None,
            "in_snapshot": False,
            "table_id": TABLE,
            "sentence": sentence,
        }
    ]
    out, _ = output(capsys, "explain-offset", "null", "--format", "csv")
    assert out.splitlines()[1] == ",,,,,There is no offset yet: the stream has not started."


def test_a_file_is_no_offset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The message says which command reads a checkpoint."""
    with pytest.raises(SystemExit):
        main(["explain-offset", str(tmp_path)])
    assert "the command `offsets CHECKPOINT` lists" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "condition"),
    [
        (["offsets", "/nowhere"], "DELTASOURCE_UNREADABLE_CHECKPOINT"),
        (["offsets", "nowhere://b/c", "--format", "json"], "DELTASOURCE_REMOTE_PATH"),
        (["schema-log", "/nowhere"], "DELTASOURCE_UNREADABLE_CHECKPOINT"),
        (["backlog", "/nowhere", "/nowhere"], "DELTASOURCE_UNREADABLE_CHECKPOINT"),
    ],
)
def test_errors_exit_with_3(
    line: list[str], condition: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error of ours is printed to standard error with its condition, without a traceback."""
    out, err = output(capsys, *line, code=3)
    assert (out, err.startswith(f"[{condition}]"), err.count("\n")) == ("", True, 1)


def test_tracked_schemas_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The output has a line for each entry; with --diff one for each change."""
    location = str(tmp_path)
    assert output(capsys, "schema-log", location) == (
        "",
        f"{location}: no schema has been tracked yet\n",
    )
    values = {
        "tableId": TABLE,
        "deltaCommitVersion": 2,
        "dataSchemaJson": SCHEMA,
        "partitionSchemaJson": '{"type":"struct","fields":[]}',
    }
    log = tmp_path / f"_schema_log_{TABLE}"
    put(log, "0", f"v1\n{json.dumps(values)}")
    out, err = output(capsys, "schema-log", location, "--diff")
    assert (out, err) == ("", f"{location}: no schema differs from the one before it\n")
    later = {**values, "deltaCommitVersion": 5, "dataSchemaJson": SCHEMA.replace("long", "string")}
    put(log, "1", f"v1\n{json.dumps(later)}")
    out, _ = output(capsys, "schema-log", location)
    assert [line.split()[1:] for line in out.splitlines()] == [
        ["number", "version", "previous", "fields", "partitioned_by"],
        ["0", "2", "-", "1", "-"],
        ["1", "5", "0", "1", "-"],
    ]
    out, _ = output(capsys, "schema-log", location, "--format", "json")
    assert json.loads(out)["rows"][0]["schema"] == SCHEMA
    out, _ = output(capsys, "schema-log", location, "--diff")
    assert out.endswith("       1        5  type changed: id: long -> string\n")
    out, _ = output(capsys, "schema-log", location, "--diff", "--format", "csv")
    shown = "type_changed,id,long,string,type changed: id: long -> string"
    assert out.splitlines()[1:] == [f"{log.name},1,5,{shown}"]


@pytest.mark.parametrize(
    "line",
    [
        ["offsets"],
        ["offsets", "c", "--last", "0"],
        ["offsets", "c", "--last", "-1"],
        ["offsets", "c", "--format", "xml"],
        ["explain-offset"],
        ["explain-offset", "garbage"],
        ["explain-offset", "{" * 5000],
        ["jar", "--spark", "3.5"],
        ["submit-args", "--spark", "4"],
        ["submit-args", "--jars", "my jars/a.jar"],
        ["submit-args", "--jars", "a.jar,"],
        ["submit-args", "--jars", "no-such-file.jar"],
        ["schema-log"],
        ["backlog", "c"],
        *(
            ["backlog", "c", "t", "--fail-if", text]
            for text in ("", "versions", "hours>1", "versions>", "versions>x", "versions>1g")
        ),
        ["backlog", "c", "t", "--fail-if", "bytes>1.5g"],
    ],
)
def test_wrong_arguments_exit_with_2(line: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """The command fails before it reads anything, with a message on standard error."""
    with pytest.raises(SystemExit) as ended:
        main(line)
    assert ended.value.code == 2
    assert capsys.readouterr().out == ""
