# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The parts of planning scripts, without Spark: logs, comparing and shrinking."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parity.generators import row_scripts
from parity.generators.shrink import shrink
from parity.harness import codec, live, stored_failures
from parity.harness.trace import Batch, Moment
from parity.planning import compare
from parity.planning import random_scripts as planning
from parity.planning.log import Log
from parity.planning.script import Ahead, Go, Land, Mode, Open, Plans, Rest
from parity.planning.table import Add, Commit, Remove, Table
from parity.script import Drain as Rows
from parity.script import Start, Stop

TWO = Commit((Add("1.parquet", (0,)), Add("ü2.parquet", (1,))))
THIRD = Commit((Add("3.parquet", (2,)),))
SCRIPT = Plans(table=Table((TWO, THIRD)), steps=(Land(1), Open(), Go(), Land(1), Rest()))


def batch(start: str | None, end: str, *files: str) -> dict[str, Any]:
    return {"start": start, "end": end, "files": list(files)}


def answer(*batches: dict[str, Any], error: str | None = None) -> dict[str, Any]:
    return {"batches": list(batches), "error": error and {"condition": error}}


FIRST = batch(None, "a", "1.parquet", "ü2.parquet")
NEXT = batch("a", "b", "3.parquet")
ANSWERS = [answer(), answer(), answer(FIRST), answer(), answer(NEXT)]

FAULTS = {
    "a file lost": answer(batch(None, "a", "1.parquet")),
    "a file twice": answer(batch(None, "a", "1.parquet", "1.parquet", "ü2.parquet")),
    "a file too early": answer(batch(None, "a", "1.parquet", "3.parquet", "ü2.parquet")),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_wrong_file_is_reported(fault: str) -> None:
    """The comparison and the row count each report a lost, repeated or early file."""
    faulty = [*ANSWERS[:2], FAULTS[fault], *ANSWERS[3:]]
    assert list(compare.differing(ANSWERS, ANSWERS)) == compare.row_faults(SCRIPT, ANSWERS) == []
    assert list(compare.differing(ANSWERS, faulty)) != []
    assert compare.row_faults(SCRIPT, faulty) != []


def test_another_offset_or_error_is_reported() -> None:
    """Offsets and errors are compared byte for byte."""
    other = [*ANSWERS[:2], answer(FIRST | {"end": "A"}), *ANSWERS[3:]]
    assert list(compare.differing(ANSWERS, other)) != []
    failed = [*ANSWERS[:4], answer(NEXT, error="DELTA_NO")]
    assert list(compare.differing(ANSWERS, failed)) != []


def test_a_replayed_batch_counts_once() -> None:
    """A batch that the engine requests again after a restart is no second delivery."""
    again = [*ANSWERS[:4], answer(FIRST | {"discarded": True}, NEXT, NEXT)]
    assert compare.row_faults(SCRIPT, again) == []


def test_rows_are_due_from_the_start_on() -> None:
    """The rows due are those of the commits from the start on, even if they are rewritten later."""
    assert compare.due(SCRIPT) == [0, 1, 2]
    assert compare.due(replace(SCRIPT, options={"startingVersion": "2"})) == [2]
    assert compare.due(replace(SCRIPT, options={"startingVersion": "latest"})) == [2]
    rewritten = Commit((Remove("1.parquet", new=False), Add("4.parquet", (0,), new=False)))
    more = replace(
        SCRIPT, table=Table((TWO, THIRD, rewritten)), steps=(*SCRIPT.steps[:3], Land(2), Rest())
    )
    assert compare.due(more) == [0, 1, 2]
    gone = Commit((Remove("1.parquet"),))
    assert compare.due(replace(more, table=Table((TWO, THIRD, gone)))) is None


def test_good_data_first_is_recognized() -> None:
    """More batches before the same error are allowed; another error or fewer batches are not."""
    error = "DELTA_SOURCE_IGNORE_DELETE"
    stock = [*ANSWERS[:2], answer(error=error)]
    assert compare.early_failure_step(stock, ANSWERS[:3]) == 2
    assert compare.early_failure_step([*ANSWERS[:2], answer(error="OTHER")], ANSWERS[:3]) is None
    further = [*ANSWERS[:3], answer(NEXT, error=error)]
    assert compare.good_first(stock, further)
    assert not compare.good_first(stock, ANSWERS[:4])
    assert not compare.good_first([*ANSWERS[:2], answer(NEXT, error=error)], further)
    assert compare.cut(SCRIPT, 2).steps[:4] == (*SCRIPT.steps[:3], Rest())
    planned = replace(SCRIPT, steps=(Land(1), Open(), Ahead()))
    assert compare.cut(planned, 2).steps[:3] == (Land(1), Open(), Rest())


def test_a_log_has_all_its_commits(tmp_path: Path) -> None:
    """Each commit is a file, an hour after the previous one, with every action once."""
    log = Log(SCRIPT.table, tmp_path)
    log.land(1)
    files = sorted((tmp_path / "_delta_log").glob("*.json"))
    assert [file.name for file in files] == [f"{version:020d}.json" for version in (0, 1)]
    assert files[1].stat().st_mtime - files[0].stat().st_mtime == 3600
    lines = [json.loads(line) for line in files[1].read_text().splitlines()]
    assert [line["add"]["path"] for line in lines if "add" in line] == ["1.parquet", "ü2.parquet"]
    log.land(5)
    assert len(list((tmp_path / "_delta_log").glob("*.json"))) == 3


@pytest.mark.parametrize("seed", range(20))
def test_a_seed_always_makes_the_same_script(seed: int, tmp_path: Path) -> None:
    """A seed always makes the same script, and a stored script is read as that script."""
    for found in (planning.script(seed), row_scripts.script(seed)):
        file = stored_failures.keep(found, tmp_path)
        assert stored_failures.kept(tmp_path)[file.stem] == found
    assert planning.script(seed) == planning.script(seed)
    assert row_scripts.script(seed) == row_scripts.script(seed)
    assert planning.script(seed) != planning.script(seed + 1)


def test_row_scripts_share_their_histories() -> None:
    """Every random row script uses one of a few histories, whole and in order."""
    shared = {row_scripts.history(number) for number in range(row_scripts.HISTORIES)}
    assert len(shared) == row_scripts.HISTORIES >= 25
    assert {row_scripts.script(seed).whole for seed in range(50)} <= shared


def test_random_scripts_cover_the_risky_cases() -> None:
    """Many scripts have limits, restarts with a planned batch, and changed options."""
    scripts = [planning.script(seed) for seed in range(200)]
    limited = [
        one for one in scripts if {"maxFilesPerTrigger", "maxBytesPerTrigger"} & set(one.options)
    ]
    crashed = [one for one in scripts if any(isinstance(step, Ahead) for step in one.steps)]
    changed = [one for one in scripts if any(isinstance(s, Open) and s.options for s in one.steps)]
    counted = [one for one in scripts if compare.due(one) is not None]
    assert min(map(len, (limited, crashed, changed, counted))) > 40
    modes = {step.mode for one in scripts for step in one.steps if isinstance(step, Open)}
    assert modes == set(Mode)


def test_a_failure_shrinks_to_what_fails() -> None:
    """Shrinking keeps just the part of a script that fails, and it still fails."""

    def fails(script: Plans) -> bool:
        adds = compare.adds(script.table.commits)
        return any(add.path == "3.parquet" for add in adds) and Rest() in script.steps

    found = shrink(replace(SCRIPT, options={"a": "b"}), fails)
    assert fails(found)
    assert found.options == {}
    assert found.steps == (Rest(),)
    assert compare.adds(found.table.commits) == [Add("3.parquet", ())]
    assert codec.value(codec.plain(found)) == found


def test_a_row_script_from_latest_may_differ_after_a_restart() -> None:
    """Random row scripts may differ if they start from the newest version, after a restart."""
    steps = (Start(), Stop(), Start(), Rows(), Stop())
    script = replace(row_scripts.script(0), options={"startingVersion": "latest"}, steps=steps)
    trace = tuple(Moment(str(n), "over", (), (), (), None) for n in range(5))
    later = (*trace[:3], replace(trace[3], batches=(Batch(0, ((1,),)),)), trace[4])
    assert live.remembered(script, trace, later)
    assert not live.remembered(script, trace, (later[3], *later[1:]))
    assert not live.remembered(replace(script, options={}), trace, later)
