# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The tables that a streaming DataFrame of Spark Connect reads, which its plan names.

The plan is a message of the protocol, which the client builds. Names and paths stand in it as the
user gave them.
"""

# pyright: reportPrivateUsage=false
# PySpark has no public API for the plan.

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final, cast

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_FORMAT: Final = "delta"


def streamed_tables(frame: DataFrame) -> list[str]:
    """Return the path or the name of each table that a streaming DataFrame reads; [] if unknown."""
    connected: Any = frame
    plan = getattr(connected, "_plan", None)
    if plan is None:
        return []
    message = plan.to_proto(connected._session.client)
    return [table for read in _reads(message) for table in _tables(read)]


def _reads(message: Any) -> Iterator[Any]:
    """Return the messages of a plan that read something as a stream."""
    if message.DESCRIPTOR.full_name == "spark.connect.Read":
        if message.is_streaming:
            yield message
        return
    for field, value in message.ListFields():
        if field.message_type is None or field.message_type.GetOptions().map_entry:
            continue
        for child in value if _is_repeated(value) else (value,):
            yield from _reads(child)


def _is_repeated(value: object) -> bool:
    return not hasattr(value, "ListFields")


def _tables(read: Any) -> Iterator[str]:
    if read.HasField("named_table"):
        yield read.named_table.unparsed_identifier
    elif read.data_source.format.lower() == _FORMAT:
        yield from cast("list[str]", read.data_source.paths)
        options = {name.lower(): value for name, value in read.data_source.options.items()}
        if "path" in options:
            yield options["path"]
