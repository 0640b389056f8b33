# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Delta's error conditions about schemas, and which may follow each."""

from collections.abc import Sequence

CHANGED = "DELTA_SCHEMA_CHANGED_WITH_VERSION"
OPTIONS = "DELTA_SCHEMA_CHANGED_WITH_STARTING_OPTIONS"
TRACK = "DELTA_STREAMING_INCOMPATIBLE_SCHEMA_CHANGE_USE_SCHEMA_LOG"
EVOLVED = "DELTA_STREAMING_METADATA_EVOLUTION"

ENDS_A_RUN = frozenset({CHANGED, EVOLVED})
"""Conditions that only end a run: the next run continues."""
SCHEMA_CHANGED = frozenset({CHANGED, OPTIONS, TRACK})
"""Conditions of schema changes in streams without tracking."""


def may_follow(condition: str | None, later: Sequence[str | None]) -> bool:
    """Whether `later` errors may follow a run that ends after the data before a schema change,
    instead of failing with `condition`: the next run reads the newest schema."""
    return condition in SCHEMA_CHANGED and (not later or later[0] in SCHEMA_CHANGED)
