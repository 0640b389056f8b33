# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Of the changes that a run acknowledges, those that the stream has not read past."""

from __future__ import annotations

from collections.abc import Sequence

from deltasource._checkpoint.offset import Offset
from deltasource._checkpoint.tracked_schema import TrackedSchema
from deltasource._checkpoint.unread_schemas import unread_changes
from deltasource._schema_change import SchemaChange


def unread_acknowledged(
    acknowledged: Sequence[SchemaChange],
    tracked: Sequence[TrackedSchema],
    reached: dict[str, Offset],
) -> Sequence[SchemaChange]:
    """Return the changes of the acknowledged kinds that the stream has not read past.

    Delta asks for an acknowledgement at every start, also of a change that an earlier run has read
    past and listed. All are returned if no checkpoint says how far the stream has read.
    """
    if not any(entry.table_id in reached for entry in tracked):
        return acknowledged
    kinds = {change.kind for change in acknowledged}
    unread = unread_changes(tracked, reached).values()
    return [one for changes in unread for one in changes if one.kind in kinds]
