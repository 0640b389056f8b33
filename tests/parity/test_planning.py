# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The planning scripts' own parts, without Spark: their logs, their judge, how they shrink."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from parity import codec, dice, live, store
from parity.planning import dice as planning
from parity.planning import judge
from parity.planning.log import Log
from parity.planning.script import Ahead, Go, Land, Mode, Open, Plans, Rest
from parity.planning.table import Add, Commit, Remove, Table
from parity.script import Drain as Rows
from parity.script import Start, Stop
from parity.shrink import shrink
from parity.trace import Batch, Moment

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
def test_a_file_at_fault_is_told(fault: str) -> None:
    """Both the comparison and the count of rows tell a file lost, repeated or too early."""
    faulty = [*ANSWERS[:2], FAULTS[fault], *ANSWERS[3:]]
    assert list(judge.differing(ANSWERS, ANSWERS)) == judge.amiss(SCRIPT, ANSWERS) == []
    assert list(judge.differing(ANSWERS, faulty)) != []
    assert judge.amiss(SCRIPT, faulty) != []


def test_another_offset_or_error_is_told() -> None:
    """Offsets count byte for byte, and so do errors."""
    other = [*ANSWERS[:2], answer(FIRST | {"end": "A"}), *ANSWERS[3:]]
    assert list(judge.differing(ANSWERS, other)) != []
    failed = [*ANSWERS[:4], answer(NEXT, error="DELTA_NO")]
    assert list(judge.differing(ANSWERS, failed)) != []


def test_a_replayed_batch_counts_once() -> None:
    """What the engine asks for again after a restart is no second delivery."""
    again = [*ANSWERS[:4], answer(FIRST | {"discarded": True}, NEXT, NEXT)]
    assert judge.amiss(SCRIPT, again) == []


def test_rows_are_due_from_the_start_on() -> None:
    """The rows due are those of the commits from the start on, whatever was rewritten later."""
    assert judge.due(SCRIPT) == [0, 1, 2]
    assert judge.due(replace(SCRIPT, options={"startingVersion": "2"})) == [2]
    assert judge.due(replace(SCRIPT, options={"startingVersion": "latest"})) == [2]
    rewritten = Commit((Remove("1.parquet", new=False), Add("4.parquet", (0,), new=False)))
    more = replace(
        SCRIPT, table=Table((TWO, THIRD, rewritten)), steps=(*SCRIPT.steps[:3], Land(2), Rest())
    )
    assert judge.due(more) == [0, 1, 2]
    gone = Commit((Remove("1.parquet"),))
    assert judge.due(replace(more, table=Table((TWO, THIRD, gone)))) is None


def test_good_data_first_is_seen_for_what_it_is() -> None:
    """More batches before the same error are allowed; another error or fewer batches are not."""
    error = "DELTA_SOURCE_IGNORE_DELETE"
    stock = [*ANSWERS[:2], answer(error=error)]
    assert judge.parted(stock, ANSWERS[:3]) == 2
    assert judge.parted([*ANSWERS[:2], answer(error="OTHER")], ANSWERS[:3]) is None
    further = [*ANSWERS[:3], answer(NEXT, error=error)]
    assert judge.good_first(stock, further)
    assert not judge.good_first(stock, ANSWERS[:4])
    assert not judge.good_first([*ANSWERS[:2], answer(NEXT, error=error)], further)
    assert judge.cut(SCRIPT, 2).steps[:4] == (*SCRIPT.steps[:3], Rest())
    planned = replace(SCRIPT, steps=(Land(1), Open(), Ahead()))
    assert judge.cut(planned, 2).steps[:3] == (Land(1), Open(), Rest())


def test_a_log_is_written_as_its_commits_say(tmp_path: Path) -> None:
    """Each commit is a file of its own, an hour after the one before, with every action once."""
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
def test_a_script_is_the_same_when_read_back(seed: int, tmp_path: Path) -> None:
    """A seed always makes the same script, and a stored script is that script."""
    for found in (planning.script(seed), dice.script(seed)):
        file = store.keep(found, tmp_path)
        assert store.kept(tmp_path)[file.stem] == found
    assert planning.script(seed) == planning.script(seed)
    assert dice.script(seed) == dice.script(seed)
    assert planning.script(seed) != planning.script(seed + 1)


def test_row_scripts_share_their_histories() -> None:
    """Every random row script goes through one of few histories, whole and in its order."""
    shared = {dice.history(number) for number in range(dice.HISTORIES)}
    assert len(shared) == dice.HISTORIES >= 25
    assert {dice.script(seed).whole for seed in range(50)} <= shared


def test_random_scripts_have_weight_where_it_hurts() -> None:
    """Limits, restarts with a batch planned, and changed options are in many scripts."""
    scripts = [planning.script(seed) for seed in range(200)]
    limited = [
        one for one in scripts if {"maxFilesPerTrigger", "maxBytesPerTrigger"} & set(one.options)
    ]
    crashed = [one for one in scripts if any(isinstance(step, Ahead) for step in one.steps)]
    changed = [one for one in scripts if any(isinstance(s, Open) and s.options for s in one.steps)]
    counted = [one for one in scripts if judge.due(one) is not None]
    assert min(map(len, (limited, crashed, changed, counted))) > 40
    modes = {step.mode for one in scripts for step in one.steps if isinstance(step, Open)}
    assert modes == set(Mode)


def test_a_failure_shrinks_to_what_fails() -> None:
    """What is left of a failing script is what makes it fail, and the failing itself stays."""

    def fails(script: Plans) -> bool:
        adds = judge.adds(script.table.commits)
        return any(add.path == "3.parquet" for add in adds) and Rest() in script.steps

    found = shrink(replace(SCRIPT, options={"a": "b"}), fails)
    assert fails(found)
    assert found.options == {}
    assert found.steps == (Rest(),)
    assert judge.adds(found.table.commits) == [Add("3.parquet", ())]
    assert codec.value(codec.plain(found)) == found


def test_a_row_script_from_latest_may_part_after_a_restart() -> None:
    """Random row scripts may part if they start from the newest version, and once restarted."""
    steps = (Start(), Stop(), Start(), Rows(), Stop())
    script = replace(dice.script(0), options={"startingVersion": "latest"}, steps=steps)
    trace = tuple(Moment(str(n), "over", (), (), (), None) for n in range(5))
    later = (*trace[:3], replace(trace[3], batches=(Batch(0, ((1,),)),)), trace[4])
    assert live.remembered(script, trace, later)
    assert not live.remembered(script, trace, (later[3], *later[1:]))
    assert not live.remembered(replace(script, options={}), trace, later)
