# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Waits for the end of a query, with a deadline; a schema change is not a failure."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Generator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any, Final

from deltasource._monitor.exception_text import error_condition
from deltasource._monitor.failure_log import FailureLog
from deltasource._monitor.python_advice import with_advice

SCHEMA_EVOLVED: Final = "DELTA_STREAMING_METADATA_EVOLUTION"


class Deadline:
    """Stops the running query when the time limit is reached."""

    def __init__(self, limit: timedelta | None) -> None:
        self._end = None if limit is None else time.monotonic() + limit.total_seconds()
        self._expired = False

    @property
    def expired(self) -> bool:
        """Whether the limit was reached while a query ran."""
        return self._expired

    @contextmanager
    def enforced_on(self, query: Any) -> Generator[None, None, None]:
        """Stop a query in the block if the limit is reached."""
        if self._end is None:
            yield
            return
        timer = threading.Timer(self._end - time.monotonic(), self._expire, [query])
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()

    def _expire(self, query: Any) -> None:
        self._expired = True
        with FailureLog("stopping the query at its deadline"):
            query.stop()


def wait_for_end(
    query: Any, deadline: Deadline, *, caught_up: bool, returned: Collection[str]
) -> Exception | None:
    """Wait until a query has ended; return a failure with one of these conditions, raise others.

    If `caught_up` is true, the query is stopped once it has read everything that is available.
    """
    from pyspark.errors import StreamingQueryException

    try:
        with deadline.enforced_on(query):
            if caught_up:
                query.processAllAvailable()
            else:
                query.awaitTermination()
        error: Exception | None = query.exception()
    except StreamingQueryException as raised:
        error = raised
    finally:
        if query.isActive:
            query.stop()
    condition = None if error is None else error_condition(str(error))
    if error is not None and condition not in returned:
        raise with_advice(error, condition)
    return error
