# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Recordings, without Spark: a stale one is told, and tables come back byte for byte."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from parity import recorded
from parity.catalogue import EVERY
from parity.recorded import Recordings, StaleError, Tables
from parity.script import Drain, Script, Start, Stop
from parity.tables import Change
from parity.test_harness import TRACE

SCRIPT = EVERY["limits"][0]


@pytest.fixture
def kept(tmp_path: Path) -> Recordings:
    found = Recordings(tmp_path)
    found.keep({"limits": [(SCRIPT, TRACE)]})
    return found


def test_a_trace_comes_back_as_it_was_recorded(kept: Recordings) -> None:
    """Rows, offsets and errors of a recording are those of the trace."""
    assert kept.trace("limits", SCRIPT) == TRACE
    assert kept.trace("limits", replace(SCRIPT, why="because")) == TRACE


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
    """A script that was changed is not held against what another one gave."""
    with pytest.raises(StaleError, match="no recording of"):
        kept.trace("limits", changed)


def test_a_recording_of_another_stock_is_none(
    kept: Recordings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one release of delta-spark gave says nothing about another."""
    monkeypatch.setattr(recorded, "stock_version", lambda: "9.9.9")
    with pytest.raises(StaleError, match=r"by delta-spark 9\.9\.9"):
        kept.trace("limits", SCRIPT)


def test_tables_come_back_with_their_times(tmp_path: Path) -> None:
    """A recorded table has the same files, bytes and times, and loses what was lost."""
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
    """No script of the catalogue is without a recording, and none is recorded that is gone."""
    for part, scripts in EVERY.items():
        for script in scripts:
            assert Recordings().trace(part, script)
        assert Recordings().names(part) == sorted(script.name for script in scripts)
