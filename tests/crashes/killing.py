# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Starts the process, kills it at a chosen moment, and reports what it was doing."""

import itertools
import json
import math
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import Any

from crashes.place import Place, State
from parity.harness.both_sides import jars

TESTS = Path(__file__).resolve().parents[1]


class Moment(Enum):
    """When a process is killed. All but the first wait for files to appear."""

    SOMETIME = "at a random moment"
    DATA = "after writing a data file, before its commit"
    COMMIT = "after the table's commit, before the query's commit log"
    CHECKPOINT = "while writing a checkpoint of a target"
    STORED = "after the commit of stored events, before the target's"

    def has_come(self, before: State, now: State) -> bool:
        match self:
            case Moment.SOMETIME:
                return False
            case Moment.DATA:
                return now.data > before.data and now.version == before.version
            case Moment.COMMIT:
                return now.version > before.version and now.batch == before.batch
            case Moment.CHECKPOINT:
                return now.unfinished > before.unfinished
            case Moment.STORED:
                return now.stored > before.stored and now.version == before.version


COPYING = (Moment.SOMETIME, Moment.DATA, Moment.COMMIT, Moment.CHECKPOINT)
APPLYING = (Moment.SOMETIME, Moment.DATA, Moment.STORED, Moment.COMMIT)


@dataclass
class Crashes:
    """One source, its targets, and the kills so far."""

    place: Place
    rows: int
    files: int
    seed: int
    applies: bool = False
    """Whether the streams apply changes instead of copying."""
    kills: int = 0
    caught: Counter[Moment] = field(default_factory=Counter)
    """How many streams were killed in each state."""

    def __post_init__(self) -> None:
        self._dice = random.Random(self.seed)
        self.place.folder.mkdir(parents=True, exist_ok=True)
        self._run("stock", "lay", rows=self.rows, files=self.files)

    def kill(self, side: str, moment: Moment) -> bool:
        """Returns whether the process was killed; otherwise it finished before the moment came."""
        before = [self._leftovers(target) for target in self.place.targets]
        process = self._start(side, "work")
        try:
            come = self._wait(process, moment)
        finally:
            # Including its JVM, which is in the same process group.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if not come:
            return False
        self.kills += 1
        for target, known in zip(self.place.targets, before, strict=True):
            self._count(target, known)
        return True

    def _wait(self, process: subprocess.Popen[bytes], moment: Moment) -> bool:
        """Waits until the moment has come (true) or the process has ended (false)."""
        first = before = [self.place.state(target) for target in self.place.targets]
        until = math.inf
        while process.poll() is None:
            now = [self.place.state(target) for target in self.place.targets]
            if until == math.inf and now != first and moment is Moment.SOMETIME:
                until = time.monotonic() + self._dice.uniform(0, 4)
            pairs = zip(before, now, strict=True)
            if time.monotonic() > until or any(moment.has_come(*pair) for pair in pairs):
                return True
            before = now
            time.sleep(0.001)
        if process.returncode != 0:
            raise RuntimeError(f"the process failed before it was killed, see {self._log}")
        return False

    def _count(self, target: Path, known: tuple[int, int, int]) -> None:
        orphans, unfinished, stored = self._leftovers(target)
        if self.place.marked(target) > self.place.state(target).batch:
            self.caught[Moment.COMMIT] += 1
        if orphans > known[0]:
            self.caught[Moment.DATA] += 1
        if unfinished > known[1]:
            self.caught[Moment.CHECKPOINT] += 1
        if stored > known[2]:
            self.caught[Moment.STORED] += 1

    def _leftovers(self, target: Path) -> tuple[int, int, int]:
        """Data files in no commit, files of unfinished checkpoints, and events stored alone."""
        state = self.place.state(target)
        orphans = state.data - self.place.added(target)
        return orphans, state.unfinished, self.place.stored_alone(target)

    def finish(self, side: str) -> None:
        self._run(side, "work")

    def wrong(self) -> list[str]:
        """Targets whose rows, as stock reads them, are not what they should be."""
        found: list[str] = self._run("stock", "look")
        return found

    def _start(self, side: str, action: str, **more: object) -> subprocess.Popen[bytes]:
        folder = self.place.folder
        task = {
            "action": action,
            "applies": self.applies,
            "answer": str(folder / "answer.json"),
            "folder": str(folder),
            "jars": [str(jar) for jar in jars(side)],
            "streams": self.place.streams,
            **more,
        }
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "crashes.worker", json.dumps(task)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(TESTS), "SPARK_LOCAL_IP": "127.0.0.1"},
                start_new_session=True,
            )

    def _run(self, side: str, action: str, **more: object) -> Any:
        process = self._start(side, action, **more)
        # The last run may have most of the files left, and a batch of three streams takes seconds.
        if process.wait(timeout=600 + 10 * self.files) != 0:
            raise RuntimeError(f"{side} could not {action}, see {self._log}")
        return json.loads((self.place.folder / "answer.json").read_text())

    @property
    def _log(self) -> Path:
        return self.place.folder / "log.txt"


def run(
    place: Place,
    *,
    files: int,
    kills: int,
    sides: Sequence[str],
    seed: int,
    moments: Sequence[Moment] = COPYING,
    applies: bool = False,
    log: Callable[[str], None],
) -> Crashes:
    """Kills `kills` runs, cycling through sides and moments, then runs the streams to the end."""
    crashes = Crashes(place, rows=10 * files, files=files, seed=seed, applies=applies)
    turns = zip(itertools.cycle(sides), itertools.cycle(moments), strict=False)
    for side, moment in itertools.islice(turns, kills):
        killed = crashes.kill(side, moment)
        log(f"{side}: {'killed' if killed else 'finished, was to be killed'} {moment.value}")
    crashes.finish(sides[0])
    return crashes
