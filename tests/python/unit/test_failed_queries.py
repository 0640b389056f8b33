# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The histories of queries that failed, and of those that a monitor does not know."""

from __future__ import annotations

import pytest

from deltasource import monitor
from support.exception_samples import RAISED
from support.fake_streams import Session, Streams, spark_progress

OTHER = "0c1d2e3f-1111-4222-8333-000000000000"


def test_a_query_that_failed_before_its_first_batch_has_a_history() -> None:
    """It is empty and has the failure; another run of the query replaces that."""
    streams = Streams()
    with monitor(Session(streams)) as seen:
        streams.start()
        assert list(seen) == []
        streams.end(exception=RAISED)
        history = seen["orders"]
        assert (len(history), str(history.failure)) == (
            0,
            "'orders' failed: [USER_RAISED_EXCEPTION] mine SQLSTATE: P0001",
        )
        assert repr(history) == f"<History of 0 batches, failed: {history.failure}>"
        streams.start(OTHER)
        assert (seen["orders"] is history, history.failure) == (True, None)
        streams.end(OTHER)
    assert history.failure is None


def test_a_failure_that_is_reported_after_the_next_start_is_not_that_of_the_latest_run() -> None:
    """Spark sometimes reports the start of a run before the end of the last one."""
    streams = Streams()
    with monitor(Session(streams)) as seen:
        streams.start()
        streams.tell(spark_progress(0))
        streams.start(OTHER)
        streams.end(exception=RAISED)
        assert seen["orders"].failure is None
        streams.end(OTHER)


def test_an_unknown_query_is_an_error_that_lists_the_known_ones() -> None:
    """A KeyError, as of every mapping, so that `get` and `in` work."""
    streams = Streams()
    with monitor(Session(streams)) as seen:
        with pytest.raises(KeyError, match="only these: none yet"):
            seen["order"]
        streams.tell(spark_progress(0))
        streams.end()
    with pytest.raises(KeyError, match="only these: 'orders'") as error:
        seen["order"]
    assert str(error.value).startswith("no query 'order' has ended a batch or failed")
    assert ("order" in seen, seen.get("order")) == (False, None)
