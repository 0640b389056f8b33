# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A sink script: a table, and the batches and other commits that go into it, step by step.

The rows of a stream are `rows`, with one column `id`, a number that no other row has. Each
`Query` is a run, and may be of another side: so tables and checkpoints change hands.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True)
class Sql:
    """What another writer does, which is always stock; `{table}` is the target."""

    text: str


@dataclass(frozen=True)
class Query:
    """The query runs over so many more batches, with AvailableNow."""

    frame: str = "SELECT id FROM rows"
    """What of the rows is written, in SQL; `{table}` is the target."""
    count: int = 1
    rows: int = 2
    mode: str = "append"
    partition_by: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    confs: Mapping[str, str] = field(default_factory=dict)
    """Of the session, while the run lasts."""
    once: bool = False
    """Whether it runs with Once, which takes all rows in one batch."""


@dataclass(frozen=True)
class Unnoted:
    """The engine died before it noted that the last batch is done."""


@dataclass(frozen=True)
class Anew:
    """The checkpoint is deleted: what comes is another query, of rows that come."""


@dataclass(frozen=True)
class Gone:
    """Files of the table's folder are deleted, by a pattern."""

    pattern: str


Step: TypeAlias = Sql | Query | Unnoted | Anew | Gone


@dataclass(frozen=True, kw_only=True)
class SinkScript:
    name: str
    steps: tuple[Step, ...]
    fails: str = ""
    """The condition in which stock's last run ends."""
    folder: str = "table"
    """The name of the target's folder."""
    allows: str = ""
    """A difference that it needs, by its name in docs/differences.md."""

    @property
    def legs(self) -> int:
        return sum(isinstance(step, Query) for step in self.steps)


@dataclass(frozen=True)
class Failed:
    """How a run ended that failed."""

    condition: str | None
    kind: str


@dataclass(frozen=True)
class Outcome:
    """What a script has left behind."""

    failures: tuple[Failed | None, ...]
    """Of each run."""
    log: tuple[object, ...]
    """The files of the table's log by name, with what of them does not change from run to run."""
    schema: object
    rows: tuple[str, ...]
