# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The types that signatures use."""

from __future__ import annotations

from typing import Any, Protocol


class SessionLike(Protocol):
    """A session of classic Spark or of Spark Connect: the two have no class in common."""

    @property
    def read(self) -> Any:
        """Spark's batch reader."""
        ...

    @property
    def readStream(self) -> Any:  # noqa: N802 - Spark's name
        """Spark's stream reader."""
        ...

    @property
    def streams(self) -> Any:
        """The streaming queries that run in it."""
        ...

    def sql(self, sqlQuery: str) -> Any:  # noqa: N803 - Spark's name
        """Run a query."""
        ...
