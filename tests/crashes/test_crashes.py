# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A few kills; `make crashes` does many."""

from pathlib import Path

import pytest

from crashes.killing import Moment, run
from crashes.place import Place, State
from parity.harness.both_sides import OURS, STOCK


# Seven drivers start, one after the other.
@pytest.mark.timeout(900)
def test_no_row_is_lost_or_duplicated_when_streams_are_killed(tmp_path: Path) -> None:
    """Our source and sink, alternating with stock's, are killed at each kind of moment."""
    log: list[str] = []
    crashes = run(
        Place(tmp_path, 2),
        files=24,
        kills=3,
        sides=(OURS, OURS, STOCK),
        seed=1,
        moments=(Moment.CHECKPOINT, Moment.COMMIT, Moment.DATA),
        log=log.append,
    )
    assert crashes.wrong() == []
    assert crashes.kills == 3, log


# Four drivers start, one after the other.
@pytest.mark.timeout(900)
def test_a_table_follows_its_events_when_queries_are_killed(tmp_path: Path) -> None:
    """Queries of both types are killed between their two commits, and after them."""
    log: list[str] = []
    crashes = run(
        Place(tmp_path, 2),
        files=5,
        kills=2,
        sides=(OURS,),
        seed=1,
        moments=(Moment.STORED, Moment.COMMIT),
        applies=True,
        log=log.append,
    )
    assert crashes.wrong() == []
    assert crashes.kills == 2, log


@pytest.mark.parametrize(
    ("moment", "now"),
    [
        (Moment.DATA, State(data=4, version=2, batch=1, unfinished=0)),
        (Moment.COMMIT, State(data=4, version=3, batch=1, unfinished=0)),
        (Moment.CHECKPOINT, State(data=3, version=2, batch=1, unfinished=1)),
        (Moment.STORED, State(data=3, version=2, batch=1, unfinished=0, stored=1)),
    ],
)
def test_a_moment_is_recognized_by_its_files(moment: Moment, now: State) -> None:
    """Each moment waits for its own files, not for those of another."""
    before = State(data=3, version=2, batch=1, unfinished=0)
    assert moment.has_come(before, now)
    assert [one for one in Moment if one.has_come(before, now)] == [moment]
