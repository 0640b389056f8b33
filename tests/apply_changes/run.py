# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a script on an engine and compares the table with the fold of what was sent so far."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from apply_changes import compare
from apply_changes.fold import AmbiguousSequence, Event, Row, fold
from apply_changes.history import After, Change, Script


class AmbiguousSequenceError(Exception):
    """An engine found a tie."""


class Engine(Protocol):
    """What applies changes to a table."""

    checks_every_batch: bool
    """Whether rows are compared after each batch, or only where the query stops."""

    def start(self, script: Script, folder: Path) -> None:
        """Begins with an empty table. The folder is empty and the engine's own."""
        ...

    def write_batch(self, changes: Sequence[Change]) -> None:
        """Sends a batch. It may be applied later, but before `restart` and `rows` return.

        Raises:
            AmbiguousSequenceError: there is a tie; so do the other methods.
        """
        ...

    def restart(self, *, crashed: bool) -> None:
        """Stops the query and starts it again; after a crash the last batch is written again."""
        ...

    def rows(self) -> list[Row]:
        """The table: keys, kept columns, and the interval as tuples, in any order."""
        ...


@dataclass(frozen=True)
class Divergence:
    """A script after which the table is not what the fold says."""

    script: Script
    batch: int
    reason: str
    keys: tuple[tuple[Any, ...], ...] = ()
    """The keys whose rows differ; none if it is not a matter of rows."""

    def __str__(self) -> str:
        return f"after batch {self.batch} of {len(self.script.batches)}: {self.reason}"


def run(script: Script, engine: Engine, folder: Path) -> Divergence | None:
    """The first divergence. Any error of the engine is one, except for a tie that is there."""
    oracle = Oracle(script)
    engine.start(script, folder)
    for number, batch in enumerate(script.batches):
        oracle.send(batch.changes)
        stops = batch.after is not After.NOTHING
        try:
            engine.write_batch(batch.changes)
            if stops:
                engine.restart(crashed=batch.after is After.CRASH)
            if not (stops or engine.checks_every_batch or number == len(script.batches) - 1):
                continue
            actual = engine.rows()
        except AmbiguousSequenceError as error:
            if oracle.has_ties:
                return None
            return Divergence(script, number, f"reports a tie where there is none: {error}")
        except Exception as error:
            return Divergence(script, number, f"fails with {type(error).__name__}: {error}")
        if oracle.must_report:
            return Divergence(script, number, "does not report the tie")
        if found := oracle.differences(actual):
            reason = "other rows\n" + compare.report(script.settings.rules, found)
            return Divergence(script, number, reason, tuple(one.key for one in found))
    return None


class Oracle:
    """The fold of what was sent so far.

    A tie that newer events make irrelevant may be reported or not: a table does not keep what would
    show it. From such a tie on, rows are not compared.
    """

    def __init__(self, script: Script) -> None:
        self.must_report = False
        self._settings = script.settings
        self._events: list[Event] = []
        self._expected: list[Row] | AmbiguousSequence = []

    def send(self, changes: Sequence[Change]) -> None:
        self._events += [change.event(self._settings) for change in changes]
        self._expected = fold(self._events, self._settings.rules)
        if isinstance(self._expected, AmbiguousSequence):
            self.must_report |= any(tie.decides for tie in self._expected.ties)

    @property
    def has_ties(self) -> bool:
        return isinstance(self._expected, AmbiguousSequence)

    def differences(self, actual: Sequence[Row]) -> tuple[compare.Difference, ...]:
        if isinstance(self._expected, AmbiguousSequence):
            return ()
        return compare.differences(self._settings.rules, self._expected, actual)
