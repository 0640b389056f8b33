# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Waits for the end of a query; a schema change is not a failure."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from deltasource._monitor.exception_text import condition_in
from deltasource._monitor.python_advice import with_advice
from deltasource._monitor.query_stopper import QueryStopper

SCHEMA_EVOLVED: Final = "DELTA_STREAMING_METADATA_EVOLUTION"


def wait_for_end(
    query: Any, stopper: QueryStopper, *, caught_up: bool, returned: Collection[str]
) -> Exception | None:
    """Wait until a query has ended; return a failure with one of these conditions, raise others.

    If `caught_up` is true, the query is stopped once it has read everything that is available.
    """
    from pyspark.errors import StreamingQueryException

    try:
        with stopper.watching(query):
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
    condition = None if error is None else condition_in(str(error))
    if error is not None and condition not in returned:
        raise with_advice(error, condition)
    return error
