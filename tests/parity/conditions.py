# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Delta's conditions about schemas, and what may follow each."""

from collections.abc import Sequence

CHANGED = "DELTA_SCHEMA_CHANGED_WITH_VERSION"
OPTIONS = "DELTA_SCHEMA_CHANGED_WITH_STARTING_OPTIONS"
TRACK = "DELTA_STREAMING_INCOMPATIBLE_SCHEMA_CHANGE_USE_SCHEMA_LOG"
EVOLVED = "DELTA_STREAMING_METADATA_EVOLUTION"

ENDS_A_RUN = frozenset({CHANGED, EVOLVED})
"""Conditions that end a run and nothing else: the next one goes on."""
SCHEMA_CHANGED = frozenset({CHANGED, OPTIONS, TRACK})
"""Conditions of a schema that is not the one a stream without tracking reads."""


def may_follow(condition: str | None, later: Sequence[str | None]) -> bool:
    """Whether a run that gives what lies before a change of schema, and is over, is followed by
    errors about another change, or none: the next run reads the newest schema."""
    return condition in SCHEMA_CHANGED and (not later or later[0] in SCHEMA_CHANGED)
