# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The commands that read checkpoints: what they print, and how they end."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from pathlib import Path

import pytest

from checkpoint_samples import METADATA, TABLE, checkpoint, offset, put
from deltasource.__main__ import main

SCHEMA = '{"type":"struct","fields":[{"name":"id","type":"long","nullable":true,"metadata":{}}]}'


@pytest.fixture
def query(tmp_path: Path) -> str:
    """Answer a checkpoint: a batch in the snapshot is done, one with two sources is planned."""
    planned = [offset(3), "[bold]5[/bold]"]
    return str(checkpoint(tmp_path / "c", offset(1, 4, snapshot=True), planned, done=[0]))


def said(capsys: pytest.CaptureFixture[str], *line: str, code: int = 0) -> tuple[str, str]:
    """Run a command that must end with this code; answer what it printed."""
    assert main(line) == code
    return capsys.readouterr()


def terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """Have standard output pass for a terminal."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))


def drawn(capsys: pytest.CaptureFixture[str], folder: str) -> list[str]:
    """Answer the lines of drawn offsets, without what makes them bold."""
    out, _ = said(capsys, "offsets", folder)
    return [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", out).splitlines()]


def test_offsets_are_listed_as_text(query: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each batch and source, newest last, in columns."""
    out, err = said(capsys, "offsets", query)
    assert out.splitlines() == [
        "batch  committed  planned_at                 source  version  index  in_snapshot  other",
        "    0  yes        2026-11-21T17:02:36+00:00  0             1      4  yes          -",
        "    1  no         2026-11-21T17:02:36+00:00  0             3   -100  no           -",
        "    1  no         2026-11-21T17:02:36+00:00  1             -      -  -            "
        "[bold]5[/bold]",
    ]
    assert err == ""
    out, _ = said(capsys, "offsets", query, "--last", "1")
    assert [line.split()[0] for line in out.splitlines()] == ["batch", "1", "1"]


def test_a_terminal_of_80_columns_holds_a_delta_query(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Offsets of Delta alone fit into 80 columns, drawn or plain, and the same stands in both."""
    folder = str(checkpoint(tmp_path, offset(1, 4, snapshot=True), offset(12345), done=[0]))
    plain, _ = said(capsys, "offsets", folder)
    terminal(monkeypatch, 80)
    head, line, *rest = drawn(capsys, folder)
    assert line == "─" * 80
    assert [head, *rest] == plain.splitlines()


def test_what_does_not_fit_is_folded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No character is left out of a drawn table, however narrow the terminal is."""
    folder = str(checkpoint(tmp_path, [offset(1), '{"topic":{"0":12345,"1":67890}}']))
    terminal(monkeypatch, 60)
    lines = drawn(capsys, folder)
    assert max(map(len, lines)) <= 60
    assert "".join(line.split()[-1] for line in lines).endswith('{"topic":{"0":12345,"1":67890}}')


def test_offsets_are_listed_as_json_and_csv(query: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The same rows in forms for programs, which hold nothing else."""
    out, _ = said(capsys, "offsets", query, "--format", "json")
    document = json.loads(out)
    assert (document["schema_version"], len(document["rows"])) == (1, 3)
    assert document["rows"][0] == {
        "batch": 0,
        "committed": True,
        "planned_at": "2026-11-21T17:02:36+00:00",
        "source": "0",
        "version": 1,
        "index": 4,
        "in_snapshot": True,
        "table_id": TABLE,
        "other": None,
    }
    out, _ = said(capsys, "offsets", query, "--format", "csv")
    (first, _, third) = csv.DictReader(io.StringIO(out))
    assert (first["committed"], first["other"]) == ("true", "")
    assert (third["version"], third["other"]) == ("", "[bold]5[/bold]")


def test_a_new_checkpoint_is_no_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where nothing was planned nothing is listed, and a message says why."""
    folder = str(checkpoint(tmp_path))
    assert said(capsys, "offsets", folder) == ("", f"{folder}: no batch has been planned yet\n")
    out, _ = said(capsys, "offsets", folder, "--format", "json")
    assert json.loads(out)["rows"] == []
    put(tmp_path / "offsets", "0", f"v1\n{METADATA}\n-")
    out, _ = said(capsys, "offsets", folder, "--format", "csv")
    assert out.splitlines()[1] == "0,false,2026-11-21T17:02:36+00:00,,,,,,"


def test_a_terminal_gets_a_drawn_table(
    query: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a terminal rich draws the table, if it is there; it is not needed."""
    terminal(monkeypatch, 200)
    lines = drawn(capsys, query)
    assert set(lines[1]) == {"─"}
    assert lines[-1].endswith("[bold]5[/bold]")

    def missing(_name: str) -> None:
        return None

    monkeypatch.setattr("deltasource._cli.table.find_spec", missing)
    plain, _ = said(capsys, "offsets", query)
    assert plain.startswith("batch  committed")


def test_an_offset_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence, or the same with its parts."""
    sentence = "Everything before version 7 has been read, and nothing of version 7 yet."
    assert said(capsys, "explain-offset", offset(7)) == (f"{sentence}\n", "")
    out, _ = said(capsys, "explain-offset", offset(7), "--format", "json")
    assert json.loads(out)["rows"] == [
        {
            "version": 7,
            "index": -100,
            "in_snapshot": False,
            "table_id": TABLE,
            "sentence": sentence,
        }
    ]
    out, _ = said(capsys, "explain-offset", "null", "--format", "csv")
    assert out.splitlines()[1] == ",,,,There is no offset yet: the stream has not started."


@pytest.mark.parametrize(
    ("line", "condition"),
    [
        (["explain-offset", "garbage"], "DELTASOURCE_MALFORMED_OFFSET"),
        (["offsets", "/nowhere"], "DELTASOURCE_UNREADABLE_CHECKPOINT"),
        (["offsets", "s3a://b/c", "--format", "json"], "DELTASOURCE_REMOTE_PATH"),
        (["schema-log", "/nowhere"], "DELTA_STREAMING_SCHEMA_LOG_DESERIALIZE_FAILED"),
        (["backlog", "/nowhere", "/nowhere"], "DELTASOURCE_UNREADABLE_CHECKPOINT"),
    ],
)
def test_what_cannot_be_done_ends_with_3(
    line: list[str], condition: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error of ours is told on standard error by its condition, without a traceback."""
    out, err = said(capsys, *line, code=3)
    assert (out, err.startswith(f"[{condition}]"), err.count("\n")) == ("", True, 1)


def test_tracked_schemas_are_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each entry; with --diff one for each change."""
    location = str(tmp_path)
    assert said(capsys, "schema-log", location) == (
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
    out, err = said(capsys, "schema-log", location, "--diff")
    assert (out, err) == ("", f"{location}: no schema differs from the one before it\n")
    later = {**values, "deltaCommitVersion": 5, "dataSchemaJson": SCHEMA.replace("long", "string")}
    put(log, "1", f"v1\n{json.dumps(later)}")
    out, _ = said(capsys, "schema-log", location)
    assert [line.split()[1:] for line in out.splitlines()] == [
        ["number", "version", "previous", "fields", "partitioned_by"],
        ["0", "2", "-", "1", "-"],
        ["1", "5", "0", "1", "-"],
    ]
    out, _ = said(capsys, "schema-log", location, "--format", "json")
    assert json.loads(out)["rows"][0]["schema"] == SCHEMA
    out, _ = said(capsys, "schema-log", location, "--diff")
    assert out.endswith("       1        5  type changed: id: long -> string\n")
    out, _ = said(capsys, "schema-log", location, "--diff", "--format", "csv")
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
        ["schema-log"],
        ["backlog", "c"],
        *(
            ["backlog", "c", "t", "--fail-if", text]
            for text in ("", "versions", "hours>1", "versions>", "versions>x", "versions>1g")
        ),
        ["backlog", "c", "t", "--fail-if", "bytes>1.5g"],
    ],
)
def test_a_wrong_call_ends_with_2(line: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is read, with a message on standard error."""
    with pytest.raises(SystemExit) as ended:
        main(line)
    assert ended.value.code == 2
    assert capsys.readouterr().out == ""
