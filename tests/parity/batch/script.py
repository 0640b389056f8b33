# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A batch script: a table, and the batch writes and reads on the side under test.

Stock writes the table first. Paths, ids and times are left out of what is compared.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from parity.sink.script import Sql
from parity.trace import Failure

Call: TypeAlias = tuple[str, ...]
"""A method of a DataFrame and its arguments, see `parity.batch.frame`."""


@dataclass(frozen=True)
class Save:
    """Writes a DataFrame once.

    `{table}` in `frame` is the target through the catalog, the view `target` the same through
    the data source.
    """

    frame: str
    calls: tuple[Call, ...] = ()
    """Applied to the frame, in order."""
    mode: str = ""
    """Of the writer; left at its default if empty."""
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
    """Of the session, during this step only."""


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
    """Of the session, during this step only."""


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
    """What a script left: how each write and read ended, and the table."""

    ends: tuple[Failure | Found | None, ...]
    log: tuple[object, ...]
    """What the steps added to the table's log or changed in it."""
    table: Found | None
    """What stock reads from it, if its log changed."""
