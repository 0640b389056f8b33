# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Waits for the end of a query, and tells a schema change from other failures."""

from __future__ import annotations

import re
from typing import Any, Final

from deltasource._monitor.deadline import Deadline

SCHEMA_EVOLVED: Final = "DELTA_STREAMING_METADATA_EVOLUTION"

# As Spark formats the exception of a query when it raises it, when the query returns it, and when
# the query returns it over Connect. There the condition is only in the text.
_CONDITION: Final = re.compile(
    r"(?:\[STREAM_FAILED\] Query \[[^\]]*\] terminated with exception: |\(STREAM_FAILED\) )?"
    r"\[([A-Z0-9_.]+)\]"
)


def wait_for_end(query: Any, deadline: Deadline, *, caught_up: bool) -> Exception | None:
    """Wait until a query has ended; return the schema change that ended it, raise other failures.

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
    if error is not None and error_condition(str(error)) != SCHEMA_EVOLVED:
        raise error
    return error


def error_condition(text: str) -> str | None:
    """Return the error condition in the message of a query's exception."""
    found = _CONDITION.match(text)
    return None if found is None else found[1]
