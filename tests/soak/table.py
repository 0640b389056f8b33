# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The tables that are written and streamed, and what their writer does to each of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from soak import operation
from soak.operation import Operation

RETENTION = {"delta.deletedFileRetentionDuration": "interval 15 minutes"}
"""VACUUM deletes nothing newer: no stream is ever that far behind."""

ROWS = 20
"""Rows of an append; a partition has the ids of one append."""


@dataclass(frozen=True, kw_only=True)
class SoakTable:
    """A table with the columns `id` and `value`.

    Attributes:
        name: Its folder.
        on_s3: Whether it is on `s3a://`, as the targets and checkpoints of its streams then are.
        operations: What the writer does, with weights.
        properties: Table properties.
        partitioned: Whether it has a partition column `day`; rows are then deleted by day.
    """

    name: str
    on_s3: bool
    operations: Mapping[type[Operation], int] = field(hash=False)
    properties: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    partitioned: bool = False

    @property
    def key(self) -> str:
        return f"source/{self.name}"

    @property
    def changes_schema(self) -> bool:
        return operation.AddColumn in self.operations


PLAIN = SoakTable(
    name="plain",
    on_s3=False,
    operations={operation.Append: 8, operation.Optimize: 1, operation.Vacuum: 1},
)
CHANGES = SoakTable(
    name="changes",
    on_s3=False,
    operations={
        operation.Append: 4,
        operation.Update: 3,
        operation.Delete: 2,
        operation.Merge: 2,
        operation.Optimize: 1,
        operation.Vacuum: 1,
    },
    properties={"delta.enableChangeDataFeed": "true"},
)
VECTORS = SoakTable(
    name="vectors",
    on_s3=True,
    # The rows that are delivered again depend on the files: without OPTIMIZE, each append is one.
    operations={operation.Append: 5, operation.Delete: 3, operation.Vacuum: 1},
    properties={"delta.enableDeletionVectors": "true"},
)
PARTITIONS = SoakTable(
    name="partitions",
    on_s3=True,
    operations={
        operation.Append: 6,
        operation.Delete: 2,
        operation.Optimize: 1,
        operation.Vacuum: 1,
    },
    partitioned=True,
)
EVOLVING = SoakTable(
    name="evolving",
    on_s3=True,
    operations={
        operation.Append: 8,
        operation.AddColumn: 1,
        operation.RenameColumn: 1,
        operation.DropColumn: 1,
    },
    properties={"delta.columnMapping.mode": "name"},
)
REMOTE = SoakTable(
    name="remote",
    on_s3=True,
    operations={
        operation.Append: 16,
        operation.Optimize: 2,
        operation.Vacuum: 2,
        operation.AddColumn: 1,
    },
)
