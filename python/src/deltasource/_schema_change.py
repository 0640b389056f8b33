# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""One difference between two schemas."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

SchemaChangeKind: TypeAlias = Literal[
    "added", "dropped", "renamed", "widened", "type_changed", "nullability_changed", "repartitioned"
]
"""How a field changed; "repartitioned" concerns all partition columns of the table."""


@dataclass(frozen=True)
class SchemaChange:
    """One difference between an older and a newer schema.

    Args:
        kind: How the field changed.
        path: The field, with dots: "a.b", "list.element.b", "map.key", "map.value". The path in the
            newer schema, or in the older one if the field was dropped; "" for "repartitioned".
        before: The old type, the old path ("renamed"), "nullable" or "required"
            ("nullability_changed"), or the columns ("repartitioned"); None if the field is new.
        after: The corresponding new value; None if the field was dropped.

    Example:
        >>> from deltasource import SchemaChange
        >>> print(SchemaChange("widened", "amount", "integer", "long"))
        widened: amount: integer -> long
    """

    kind: SchemaChangeKind
    path: str
    before: str | None
    after: str | None

    def __str__(self) -> str:
        """Return the change as one line."""
        if self.kind == "added":
            return f"added: {self.path} ({self.after})"
        if self.kind == "dropped":
            return f"dropped: {self.path} ({self.before})"
        if self.kind == "renamed":
            return f"renamed: {self.before} -> {self.after}"
        if self.kind == "repartitioned":
            return f"repartitioned: by {self.before or 'nothing'} -> by {self.after or 'nothing'}"
        return f"{self.kind.replace('_', ' ')}: {self.path}: {self.before} -> {self.after}"
