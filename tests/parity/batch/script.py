# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A batch script: a table, and the batch writes and reads on the side under test.

Stock writes the table first. Paths, ids and times are not compared.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from parity.harness.trace import Failure
from parity.sink.script import Sql

Call: TypeAlias = tuple[str, ...]
"""A method of a DataFrame and its arguments, see `parity.batch.frame`."""


@dataclass(frozen=True)
class Save:
    """Writes a DataFrame once.

    In `frame`, `{table}` is the target through the catalog, and the view `target` is the target
    through the data source.
    """

    frame: str
    calls: tuple[Call, ...] = ()
    """Applied to the frame, in order."""
    mode: str = ""
    """The writer's mode; not set if empty."""
    way: str = "save"
    """The writer's method, see `parity.batch.save`."""
    condition: str = ""
    """Which rows `DataFrameWriterV2.overwrite` replaces."""
    path: str = ""
    """Appended to the table's path."""
    partition_by: tuple[str, ...] = ()
    cluster_by: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    confs: Mapping[str, str] = field(default_factory=dict)
    """Session confs during this step."""


@dataclass(frozen=True)
class Load:
    """Reads the table once."""

    way: str = "load"
    """The reader's method, see `parity.batch.load`."""
    path: str = ""
    """Appended to the table's path."""
    schema: str = ""
    where: str = ""
    select: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    confs: Mapping[str, str] = field(default_factory=dict)
    """Session confs during this step."""


Step: TypeAlias = Sql | Save | Load


@dataclass(frozen=True, kw_only=True)
class BatchScript:
    name: str
    setup: tuple[str, ...]
    """Statements that write the table, each run once for all scripts that share the setup."""
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Found:
    """What a read returned."""

    schema: object
    rows: tuple[str, ...]


@dataclass(frozen=True)
class Left:
    """The outcome of a script: the result of each write and read, and the table."""

    ends: tuple[Failure | Found | None, ...]
    log: tuple[object, ...]
    """What the steps added to or changed in the table's log."""
    table: Found | None
    """The table's rows as stock reads them, if its log changed."""
