# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs many scripts on an engine, several on one table; what fails is shrunk and stored."""

import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from apply_changes import multiplex, stored_failures
from apply_changes.history import Script
from apply_changes.run import Divergence, Engine, run
from apply_changes.shrink import shrink

ALONE = 3
"""How many scripts of a group that failed are run again, each alone."""


@dataclass(frozen=True)
class Result:
    """A group of histories that shared a table."""

    histories: int
    divergent: int
    failures: tuple[Divergence, ...] = ()
    """Shrunk examples of what failed."""


class Exploration:
    """Runs groups of scripts, each in a folder of its own that is then removed."""

    def __init__(self, engine: Callable[[], Engine], patience: int, found: Path | None) -> None:
        self._engine = engine
        self._patience = patience
        self._found = found

    def results(self, scripts: Iterable[Script], size: int) -> Iterator[Result]:
        """The results of groups of at most `size` scripts."""
        for group in multiplex.groups(scripts, size):
            yield self._result(group)

    def _result(self, group: Sequence[Script]) -> Result:
        divergence = self.run(multiplex.joined(group))
        if divergence is None:
            return Result(len(group), 0)
        failing = self._alone(group, divergence) or [divergence.script]
        return Result(
            len(group),
            len(numbers(group, divergence)) or len(group),
            tuple(found for script in failing if (found := self._shrunk(script))),
        )

    def _alone(self, group: Sequence[Script], divergence: Divergence) -> list[Script]:
        """The scripts that fail without the others."""
        if len(group) == 1:
            return []
        suspects = numbers(group, divergence) or list(range(len(group)))
        return [group[number] for number in suspects[:ALONE] if self.run(group[number])]

    def _shrunk(self, script: Script) -> Divergence | None:
        small = shrink(script, lambda smaller: self.run(smaller) is not None, self._patience)
        if self._found is not None:
            stored_failures.keep(small, self._found)
        return self.run(small)

    def run(self, script: Script) -> Divergence | None:
        with tempfile.TemporaryDirectory(prefix="apply-changes-") as folder:
            return run(script, self._engine(), Path(folder))


def numbers(group: Sequence[Script], divergence: Divergence) -> list[int]:
    """The scripts of a group whose rows differ."""
    if len(group) == 1:
        return [0]
    return sorted({key[0] for key in divergence.keys})
