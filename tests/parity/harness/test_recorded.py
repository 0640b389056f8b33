# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Recordings, without Spark: stale ones are detected, and tables are restored byte for byte."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from parity.catalogue import EVERY
from parity.harness import recorded
from parity.harness.recorded import FOLDER, Recordings, StaleError, Tables, of_line, read
from parity.harness.tables import Change
from parity.harness.test_harness import TRACE
from parity.script import Drain, Script, Start, Stop
from support import build

SCRIPT = EVERY["limits"][0]


@pytest.fixture
def kept(tmp_path: Path) -> Recordings:
    found = Recordings(tmp_path)
    found.keep({"limits": [(SCRIPT, TRACE)]})
    return found


def test_a_recorded_trace_is_read_back(kept: Recordings) -> None:
    """Rows, offsets and errors of a recording equal those of the trace."""
    assert kept.trace("limits", SCRIPT) == TRACE
    assert kept.trace("limits", replace(SCRIPT, why="because")) == TRACE


def test_another_line_has_only_what_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line's own recording comes first; one that equals that of the newest line is not kept."""
    newest, same, other = Recordings(tmp_path), *EVERY["limits"][:2]
    differing = TRACE[:1]
    monkeypatch.setattr(build, "LINE", build.LINES[-1])
    newest.keep({"limits": [(same, TRACE), (other, TRACE)]})
    monkeypatch.setattr(build, "LINE", build.LINES[0])
    newest.keep({"limits": [(same, TRACE), (other, differing)]})
    assert newest.trace("limits", other) == differing
    assert list(read(of_line(tmp_path / "limits.json", build.LINES[0]))["scripts"]) == [other.name]
    assert [newest.same_on_every_line("limits", one) for one in (same, other)] == [True, False]
    monkeypatch.setattr(build, "LINE", build.LINES[-1])
    assert newest.trace("limits", other) == TRACE


def test_recordings_of_lines_are_of_scripts() -> None:
    """A line's recording of a script that was removed would never be read."""
    for file in FOLDER.glob("*/*.json"):
        common = read(FOLDER / file.name)["scripts"]
        assert read(file)["scripts"].keys() <= common.keys()


@pytest.mark.parametrize(
    "changed",
    [
        replace(SCRIPT, options={"maxFilesPerTrigger": "7"}),
        replace(SCRIPT, history=SCRIPT.history[:2]),
        replace(SCRIPT, steps=(Start(), Drain(), Drain(), Stop())),
        replace(SCRIPT, name="of nothing"),
    ],
)
def test_a_changed_script_has_no_recording(kept: Recordings, changed: Script) -> None:
    """A changed script is not compared with the recording of its old form."""
    with pytest.raises(StaleError, match="no recording of"):
        kept.trace("limits", changed)


def test_a_recording_of_another_stock_is_refused(
    kept: Recordings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A recording is valid for one release of delta-spark only."""
    monkeypatch.setattr(recorded, "stock_version", lambda: "9.9.9")
    with pytest.raises(StaleError, match=r"by delta-spark 9\.9\.9"):
        kept.trace("limits", SCRIPT)


def test_tables_are_restored_with_their_times(tmp_path: Path) -> None:
    """A recorded table has the same files, bytes and times, and the same files are deleted."""
    file = tmp_path / "kept" / "_delta_log" / "0.json"
    file.parent.mkdir(parents=True)
    file.write_text("{}")
    os.utime(file, ns=(5, 7_000_000_001))
    tables = Tables(tmp_path / "tables.zip")
    tables.keep({SCRIPT.history: (Change(tmp_path / "kept", ("old",)),)})
    found = Tables(tmp_path / "tables.zip").changes(SCRIPT.history, tmp_path / "again")
    assert found is not None
    assert found[0].gone == ("old",)
    copy = found[0].folder / "_delta_log" / "0.json"
    assert copy.read_text() == "{}"
    assert copy.stat().st_mtime_ns == 7_000_000_001
    assert tables.changes(SCRIPT.history[:1], tmp_path / "none") is None


def test_every_script_is_recorded() -> None:
    """Every script of the catalogue has a recording, and every recording has a script."""
    for part, scripts in EVERY.items():
        for script in scripts:
            assert Recordings().trace(part, script)
        assert Recordings().names(part) == sorted(script.name for script in scripts)
