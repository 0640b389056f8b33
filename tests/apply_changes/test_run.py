# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What a run calls a divergence, and how it is shown."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from apply_changes.compare import differences, report
from apply_changes.faults import BreaksTies, ReportsDuplicates, ShowsTheFirstOfARun
from apply_changes.fold import END, START, Kind, Row, Rules
from apply_changes.history import After, Batch, Change, Script, Settings
from apply_changes.memory_engines import FoldEngine, IncrementalEngine
from apply_changes.run import run
from apply_changes.shrink import shrink

ALICE, BOB = (0, None, None, None), (1, None, None, None)
RULES = Rules(scd_type=2, keys=("id",), columns=("name",), tracked=("name",))
TIE = Script((Batch((Change(0, 1, values=ALICE), Change(0, 1, values=BOB))),), tie=True)


def span(key: int, name: str, start: int, end: int | None = None) -> Row:
    return {"id": key, "name": name, START: (start,), END: None if end is None else (end,)}


def test_a_difference_shows_the_rows_of_its_key() -> None:
    """Missing rows have a minus, rows too many a plus, and equal rows no mark."""
    expected = [span(1, "Alice", 1, 3), span(1, "Bob", 3), span(2, "Carol", 1)]
    actual = [span(2, "Carol", 1), span(1, "Alice", 1, 3), span(1, "Bob", 4), span(3, "Al", 1)]
    found = differences(RULES, expected, actual)
    assert report(RULES, found).splitlines() == [
        "id=1",
        "    from 1 to 3: name='Alice'",
        "  - from 3 to now: name='Bob'",
        "  + from 4 to now: name='Bob'",
        "id=3",
        "  + from 1 to now: name='Al'",
    ]


def test_a_row_that_is_there_twice_differs() -> None:
    """Rows are counted, and their order does not matter."""
    row = span(1, "Alice", 1)
    assert report(RULES, differences(RULES, [row], [row, row])).splitlines()[1:] == [
        "    from 1 to now: name='Alice'",
        "  + from 1 to now: name='Alice'",
    ]
    assert differences(RULES, [row, span(2, "Bob", 1)], [span(2, "Bob", 1), row]) == ()


def test_a_tie_must_be_reported(tmp_path: Path) -> None:
    """An engine that does not report a tie diverges."""
    assert run(TIE, FoldEngine(), tmp_path) is None
    found = run(TIE, BreaksTies(), tmp_path)
    assert str(found) == "after batch 0 of 1: does not report the tie"


def test_a_tie_of_the_past_may_be_reported(tmp_path: Path) -> None:
    """The first event of the tie is overwritten when the second comes: a table cannot know it."""
    first, second = TIE.changes
    batches = (Batch((first, Change(0, 2))), Batch((second,)))
    script = replace(TIE, batches=batches)
    assert run(script, FoldEngine(), tmp_path) is None
    assert run(script, BreaksTies(), tmp_path) is None
    history = replace(script, settings=Settings(scd_type=2))
    assert run(history, BreaksTies(), tmp_path) is not None


def test_a_tie_must_be_there(tmp_path: Path) -> None:
    """An engine that reports a tie where there is none diverges."""
    twice = (Change(0, 1, values=(0, 0, 0, None)), Change(0, 1, values=(0, 0, 1, None)))
    found = run(Script((Batch(twice),)), ReportsDuplicates(), tmp_path)
    assert found is not None
    assert found.reason.startswith("reports a tie where there is none")


class Lazy(BreaksTies):
    """Its rows are compared only where the query stops."""

    checks_every_batch = False


def test_a_tie_that_had_to_be_reported_is_not_forgotten(tmp_path: Path) -> None:
    """It counts when rows are compared later, although it no longer decides then."""
    script = replace(TIE, batches=(*TIE.batches, Batch((Change(0, 2),))))
    assert str(run(script, Lazy(), tmp_path)).endswith("does not report the tie")


class Fails(IncrementalEngine):
    """Fails at the first delete."""

    def write_batch(self, changes: Sequence[Change]) -> None:
        if any(change.kind is Kind.DELETE for change in changes):
            raise OSError("no space")
        super().write_batch(changes)


def test_an_error_is_a_divergence(tmp_path: Path) -> None:
    """The batch and the error are shown."""
    script = Script((Batch((Change(0, 1),)), Batch((Change(0, 2, Kind.DELETE),))))
    found = run(script, Fails(), tmp_path)
    assert str(found) == "after batch 1 of 2: fails with OSError: no space"


def test_shrinking_leaves_only_what_fails(tmp_path: Path) -> None:
    """Batches are merged, and settings, keys, sequences and values that do not matter go."""
    settings = Settings(scd_type=2, untracked=("amount",), truncates=False, deletion_vectors=True)
    changes = [Change(key, at, values=(1, at % 2, 2, 3)) for at in range(4, 8) for key in (0, 2)]
    script = Script(tuple(Batch((change,), After.CRASH) for change in changes), settings)
    small = shrink(script, lambda one: run(one, ShowsTheFirstOfARun(), tmp_path) is not None)
    assert small.settings == Settings(scd_type=2, untracked=("amount",))
    assert [len(batch.changes) for batch in small.batches] == [2]
    assert {batch.after for batch in small.batches} == {After.NOTHING}
    assert {change.key for change in small.changes} == {0}
    assert [change.at for change in small.changes] == [0, 1]
    assert sum(value is not None for change in small.changes for value in change.values) == 1


def test_shrinking_leaves_the_setting_of_a_truncate() -> None:
    """A script that still has a truncate still says so; others do not."""
    batch = Batch((Change(0, 1), Change(None, 2, Kind.TRUNCATE)))
    script = Script((batch,), Settings(truncates=True, by_list=True))
    both = shrink(script, lambda one: len(one.changes) > 1)
    assert both.settings == Settings(truncates=True)
    assert shrink(script, lambda one: one.changes[0].key == 0).settings == Settings()


@pytest.mark.parametrize("after", After)
def test_shrinking_adds_no_tie(after: After, tmp_path: Path) -> None:
    """A script without ties keeps none, although an engine may fail at one."""
    changes = (Change(0, 1, values=ALICE), Change(0, 2, values=BOB))
    script = Script((Batch(changes, after),))
    small = shrink(script, lambda one: len(one.changes) > 1)
    assert len({(change.key, change.at) for change in small.changes}) == 2
    assert run(small, FoldEngine(), tmp_path) is None
