# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A check of the schema log when a stream is read: Delta has recorded the schema, no query runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeAlias

from deltasource._options.schema_tracking import SchemaTracking

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Check: TypeAlias = Callable[[SchemaTracking, str], None]
"""Raises if a recorded schema of a table must not be read."""

_check: ContextVar[Check | None] = ContextVar("deltasource_recorded_schema", default=None)


@contextmanager
def checked_by(check: Check) -> Generator[None, None, None]:
    """Call a check each time the block reads a stream with schema tracking."""
    before = _check.set(check)
    try:
        yield
    finally:
        _check.reset(before)


def require_readable(
    rows: DataFrame, tracking: SchemaTracking | None, path_or_table: str | os.PathLike[str]
) -> None:
    """Call the check of the block, if there is one and the stream tracks its schema."""
    check = _check.get()
    if check is not None and tracking is not None:
        # Spark Connect analyzes a DataFrame, which records the schema, only when it is asked to.
        _ = rows.schema
        check(tracking, os.fspath(path_or_table))
