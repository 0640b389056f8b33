# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The condition of an exception, which Spark has only in the text for a query that has failed."""

from __future__ import annotations

from deltasource._errors import DeltaSourceError
from deltasource._monitor.exception_text import condition_in
from deltasource._options.keyword_hints import with_keyword_hints


@with_keyword_hints
def error_condition(error: BaseException) -> str | None:
    """Return why a query has failed, as a name to compare with: the error condition.

    For the exception of a query, PySpark's `getCondition()` is always "STREAM_FAILED". This is the
    condition of its cause, as in `QueryFailed.condition`.

    Args:
        error: The exception that `awaitTermination` raised or `query.exception()` returned, or any
            other error of Spark or of this package.

    Returns:
        The condition, such as "DELTA_SOURCE_TABLE_IGNORE_CHANGES"; None if the error has none, such
        as an exception of Java's own.

    Example:
        >>> import deltasource
        >>> try:
        ...     query.awaitTermination()
        ... except Exception as error:
        ...     if deltasource.error_condition(error) == "DELTASOURCE_FILE_VACUUMED":
        ...         print("restore the file")  # doctest: +SKIP
    """
    if isinstance(error, DeltaSourceError):
        return error.condition
    return condition_in(str(error))
