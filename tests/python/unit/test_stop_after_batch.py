# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Stopping a query of `run_until` from outside, after the batch that is running."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from pyspark.errors.exceptions.base import StreamingQueryException

from support.fake_runs import Query, evolving, failure, run


@pytest.mark.parametrize("caught_up", [True, False])
def test_a_stop_waits_for_the_batch(caught_up: bool) -> None:
    """The query is stopped when Spark has reported the batch, which is after its commit."""
    query, stop = Query(), threading.Event()
    query.status["isTriggerActive"] = True

    def batch() -> None:
        stop.set()
        assert not query.stopped.wait(0.5)
        query.lastProgress = "batch 0"
        assert query.stopped.wait(30)

    query.before = batch
    done = run(query, caught_up=caught_up, stop=stop)
    assert (done.ending, done.query) == ("stopped", query)


def test_a_stop_between_two_batches_does_not_wait() -> None:
    """There is no batch to wait for, and none may come for a long time."""
    query, stop = Query(), threading.Event()
    stop.set()
    query.before = lambda: query.stopped.wait(30)
    assert run(query, caught_up=False, stop=stop).ending == "stopped"
    assert query.stopped.is_set()


def test_a_stop_waits_until_the_deadline() -> None:
    """A batch that takes longer is interrupted."""
    query, stop = Query(), threading.Event()
    query.status["isTriggerActive"] = True
    stop.set()
    query.before = lambda: query.stopped.wait(30)
    done = run(query, caught_up=False, stop=stop, deadline=timedelta(seconds=0.5))
    assert done.ending == "stopped"
    assert query.stopped.is_set()


def test_after_a_stop_nothing_is_started() -> None:
    """A schema change in the last batch is left for the next run."""
    query, stop = evolving(), threading.Event()
    stop.set()
    query.before = lambda: query.stopped.wait(30)
    done = run(query, stop=stop)
    assert (done.ending, done.restarts) == ("stopped", 0)


def test_a_failure_after_a_stop_is_raised() -> None:
    """A batch that fails instead of ending is not a clean stop."""
    query, stop = Query(failure("DELTA_TABLE_NOT_FOUND")), threading.Event()
    query.status["isTriggerActive"] = True
    query.before = stop.set
    with pytest.raises(StreamingQueryException):
        run(query, caught_up=False, stop=stop)
