# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Streams on a store whose requests fail: `python -m object_stores.fault_runs` draws them."""

import pytest
from pyspark.errors import QueryExecutionException, StreamingQueryException

from object_stores.fault import Fault, FaultKind
from object_stores.fault_runs import FaultRuns, Schedule, Step
from object_stores.fault_store import FaultyStore

LOG = "source/_delta_log/"


TRANSIENT = [
    Fault(kind=FaultKind.SLOW_DOWN, part=LOG, times=2),
    Fault(kind=FaultKind.INTERNAL_ERROR, methods=("PUT",), part="target/_delta_log/"),
    Fault(kind=FaultKind.LOST_ANSWER, methods=("PUT",), part="target/_delta_log/"),
    Fault(kind=FaultKind.LOST_ANSWER, methods=("PUT",), part="checkpoint/commits/"),
    Fault(kind=FaultKind.RESET, methods=("PUT",), part="target/part-"),
]


@pytest.mark.parametrize("fault", TRANSIENT, ids=lambda one: f"{one.kind.name} {one.part}")
def test_a_run_survives_a_fault_that_passes(runs: FaultRuns, fault: Fault) -> None:
    """S3A sends the request again; no row is lost or doubled."""
    steps = [Step(1, ()), Step(2, [fault]), Step(1, ())]
    outcome = runs.run(Schedule(TRANSIENT.index(fault), 1, steps))
    assert (outcome.wrong, outcome.errors) == ([], [])
    assert outcome.injected[fault.kind] == fault.times


def test_a_commit_is_read_again_if_the_connection_is_reset_in_the_middle(
    runs: FaultRuns, faulty: FaultyStore
) -> None:
    """S3A's default input stream does not resume."""
    source = runs.source("reset")
    source.append()
    query = runs.writer("reset", 1).start()
    try:
        query.processAllAvailable()
        faulty.inject([Fault(kind=FaultKind.RESET_BODY, methods=("GET",), part=LOG, times=2)])
        source.append()
        query.processAllAvailable()
        assert faulty.injected() == [2]
    finally:
        faulty.inject(())
        query.stop()
    assert runs.wrong_rows("reset", source) == []


@pytest.mark.parametrize("kind", [FaultKind.DENIED, FaultKind.EXPIRED, FaultKind.RESET_BODY])
def test_a_commit_that_cannot_be_read_stops_the_query_with_a_named_error(
    runs: FaultRuns, faulty: FaultyStore, kind: FaultKind
) -> None:
    """The error names the file; once the file can be read, the next run goes on."""
    key = f"unreadable-{kind.name}"
    source = runs.source(key)
    source.append()
    query = runs.writer(key, 1).start()
    try:
        query.processAllAvailable()
        faulty.inject([Fault(kind=kind, methods=("GET",), part=LOG, times=1000)])
        source.append()
        with pytest.raises(StreamingQueryException, match="DELTASOURCE_LOG_READ_FAILED") as error:
            query.processAllAvailable()
    finally:
        faulty.inject(())
        query.stop()
    assert "_delta_log/00000000000000000001.json" in str(error.value)
    query = runs.writer(key, 1).trigger(availableNow=True).start()
    query.awaitTermination()
    assert runs.wrong_rows(key, source) == []


def test_a_stream_that_may_not_read_the_log_does_not_start(
    runs: FaultRuns, faulty: FaultyStore
) -> None:
    """The error is named, and nothing is written."""
    source = runs.source("denied")
    source.append()
    faulty.inject([Fault(kind=FaultKind.DENIED, part=LOG, times=1000)])
    try:
        with pytest.raises(QueryExecutionException, match=r"LOG_READ_FAILED\].*denied/source"):
            runs.writer("denied", 1).start()
    finally:
        faulty.inject(())
    assert faulty.direct.get("denied/checkpoint/metadata") is None


@pytest.mark.parametrize("kind", [FaultKind.DENIED, FaultKind.EXPIRED])
def test_a_batch_that_cannot_be_committed_stops_the_query_with_a_named_error(
    runs: FaultRuns, faulty: FaultyStore, kind: FaultKind
) -> None:
    """The next run writes it."""
    key = f"unwritable-{kind.name}"
    source = runs.source(key)
    source.append()
    runs.writer(key, 1).trigger(availableNow=True).start().awaitTermination()
    source.append()
    fault = Fault(kind=kind, methods=("PUT",), part="target/_delta_log/", times=1000)
    faulty.inject([fault])
    try:
        query = runs.writer(key, 1).trigger(availableNow=True).start()
        with pytest.raises(StreamingQueryException, match="DELTASOURCE_BATCH_WRITE_FAILED"):
            query.awaitTermination()
    finally:
        faulty.inject(())
    runs.writer(key, 1).trigger(availableNow=True).start().awaitTermination()
    assert runs.wrong_rows(key, source) == []
