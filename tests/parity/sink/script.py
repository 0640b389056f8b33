# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A sink script: a table, and the batches and other commits written to it, step by step.

The stream is the view `rows`, with one unique column `id`. Each `Query` is a run and may be on
another side, with the same table and checkpoint.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True)
class Sql:
    """A statement of another writer, which is always stock; `{table}` is the target."""

    text: str


@dataclass(frozen=True)
class Query:
    """Runs the query over `count` more batches, with AvailableNow."""

    frame: str = "SELECT id FROM rows"
    """The SQL query over `rows` that is written; `{table}` is the target."""
    count: int = 1
    rows: int = 2
    mode: str = "append"
    partition_by: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    confs: Mapping[str, str] = field(default_factory=dict)
    """Session confs during the run."""
    once: bool = False
    """Whether it runs with Once, which reads all rows in one batch."""


@dataclass(frozen=True)
class Unnoted:
    """The engine died before writing the last batch to its commit log."""


@dataclass(frozen=True)
class Anew:
    """The checkpoint is deleted: the next run is a new query, over new rows."""


@dataclass(frozen=True)
class Gone:
    """Files of the table's folder that match a pattern are deleted."""

    pattern: str


Step: TypeAlias = Sql | Query | Unnoted | Anew | Gone


@dataclass(frozen=True, kw_only=True)
class SinkScript:
    name: str
    steps: tuple[Step, ...]
    fails: str = ""
    """The condition of the error that ends stock's last run."""
    folder: str = "table"
    """The name of the target's folder."""
    allows: str = ""
    """The difference that it needs, by its name in docs/internals/differences.md."""

    @property
    def legs(self) -> int:
        return sum(isinstance(step, Query) for step in self.steps)


@dataclass(frozen=True)
class Failed:
    """The failure of a run."""

    condition: str | None
    kind: str


@dataclass(frozen=True)
class Outcome:
    """The outcome of a script."""

    failures: tuple[Failed | None, ...]
    """The failure of each run, if any."""
    log: tuple[object, ...]
    """The files of the table's log by name, without what differs in each run."""
    schema: object
    rows: tuple[str, ...]
