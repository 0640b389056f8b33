# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""How a query ended, and whether that is a fault of the product."""

import re
from dataclasses import dataclass

from soak.stream import SoakStream

SCHEMA_CHANGES = {
    "DELTA_STREAMING_METADATA_EVOLUTION",
    "DELTA_STREAMING_CANNOT_CONTINUE_PROCESSING_POST_SCHEMA_EVOLUTION",
    "DELTA_SCHEMA_CHANGED_WITH_VERSION",
}
"""How a stream ends at a change of schema; then it is started again."""


@dataclass(frozen=True, kw_only=True)
class QueryEnd:
    """The end of a query, or of an attempt to start it.

    Attributes:
        stream: The name of the stream.
        error: What Spark says, without the Java stack; None if there was no error.
        disturbed: Whether the query was stopped or its thread interrupted.
    """

    stream: str
    error: str | None
    disturbed: bool

    @property
    def condition(self) -> str:
        """The named condition of the error, or some words for an end without one."""
        if self.disturbed:
            return "stopped or interrupted"
        if self.error is None:
            return "finished"
        named = re.findall(r"\[([A-Z][A-Z0-9_]+(?:\.[A-Z0-9_]+)*)\]", self.error)
        # It says that a query has failed, and the next one says why.
        reasons = [name for name in named if name != "STREAM_FAILED"]
        return reasons[0] if reasons else "an error without a condition"

    def is_expected(self, stream: SoakStream, *, denied: bool) -> bool:
        """Whether the soak itself is the reason.

        Args:
            stream: The stream of the query.
            denied: Whether the store refused requests in a way that retries cannot overcome.
        """
        if self.disturbed:
            return True
        if stream.source.changes_schema and self.condition in SCHEMA_CHANGES:
            return True
        if denied and stream.source.on_s3:
            return True
        return stream.trigger == "available_now" and self.error is None
