# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The history of a query's latest batches."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltasource import History, OptionsError, Progress
from support.progress_samples import progress

BATCHES = [Progress.of(progress(batchId=number)) for number in range(12)]


@given(st.integers(1, 15), st.integers(0, 12))
def test_the_latest_are_kept_in_their_order(keep: int, count: int) -> None:
    """A history is a bounded sequence, oldest first."""
    history = History(keep=keep)
    for batch in BATCHES[:count]:
        history.add(batch)
    kept = BATCHES[:count][-keep:]
    assert list(history) == kept
    assert (len(history), tuple(history[:2])) == (len(kept), tuple(kept[:2]))
    assert list(reversed(history)) == kept[::-1]
    assert not kept or (history[-1] == kept[-1] and kept[0] in history)


def test_iteration_sees_one_state() -> None:
    """Batches added during an iteration do not affect it."""
    history = History(keep=2)
    history.add(BATCHES[0])
    history.add(BATCHES[1])
    loop = iter(history)
    first = next(loop)
    history.add(BATCHES[2])
    assert [first, *loop] == BATCHES[:2]
    assert list(history) == BATCHES[1:3]


def test_repr_has_length_and_latest_batch() -> None:
    """The repr of a history is one line."""
    history = History()
    assert repr(history) == "<History of 0 batches>"
    history.add(BATCHES[3])
    assert repr(history) == f"<History of 1 batches, latest: {BATCHES[3]}>"


@pytest.mark.parametrize("keep", [0, -1, True, 2.0])
def test_a_history_keeps_at_least_one_batch(keep: int) -> None:
    """Keeping no batches is refused."""
    with pytest.raises(OptionsError, match="keep must be"):
        History(keep=keep)
