# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Schema changes and what allows them, as text for messages."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from deltasource._schema_change import SchemaChange, SchemaChangeKind


def format_changes(table: str, changes: Sequence[SchemaChange]) -> str:
    """Return the changes of a table as one line."""
    if not changes:
        return f"{table} changed; the schema log shows no changed column"
    return f"{table} changed: {'; '.join(map(str, changes))}"


def format_allow(
    allow: Collection[SchemaChangeKind] | None, changes: Sequence[SchemaChange]
) -> str:
    """Return the set that allows these changes and those that are allowed already.

    Without `allow`, all changes that need no acknowledgement are allowed; of these, only "added"
    is listed, because most people need new columns.
    """
    allowed = ("added",) if allow is None else allow
    return format_kinds({*allowed, *(change.kind for change in changes)})


def format_kinds(kinds: Collection[SchemaChangeKind]) -> str:
    """Return a set of kinds as Python."""
    return "{" + ", ".join(f'"{kind}"' for kind in sorted(kinds)) + "}"
