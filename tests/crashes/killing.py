# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Starts the process, kills it at a chosen moment, and tells what it was doing."""

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
from parity.stage import jars

TESTS = Path(__file__).resolve().parents[1]


class Moment(Enum):
    """When a process is killed. All but the first wait for files to appear."""

    SOMETIME = "at a random moment"
    DATA = "a data file is there, its commit not yet"
    COMMIT = "the table's commit is there, the engine has not noted it yet"
    CHECKPOINT = "a checkpoint of a target is being written"

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


@dataclass
class Crashes:
    """One source, its targets, and the kills so far."""

    place: Place
    rows: int
    files: int
    seed: int
    kills: int = 0
    caught: Counter[Moment] = field(default_factory=Counter)
    """How often a kill met a stream in such a state."""

    def __post_init__(self) -> None:
        self._dice = random.Random(self.seed)
        self.place.folder.mkdir(parents=True, exist_ok=True)
        self._whole("stock", "lay", rows=self.rows, files=self.files)

    def kill(self, side: str, moment: Moment) -> bool:
        """Whether the process was killed; otherwise it was done before the moment came."""
        before = [self._leavings(target) for target in self.place.targets]
        process = self._start(side, "copy")
        try:
            come = self._wait(process, moment)
        finally:
            # With its JVM, which is a process of the same group.
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if not come:
            return False
        self.kills += 1
        for target, known in zip(self.place.targets, before, strict=True):
            self._tell(target, known)
        return True

    def _wait(self, process: subprocess.Popen[bytes], moment: Moment) -> bool:
        """Until the moment has come (true), or the process is over."""
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
            raise RuntimeError(f"the process failed by itself, see {self._log}")
        return False

    def _tell(self, target: Path, known: tuple[int, int]) -> None:
        orphans, unfinished = self._leavings(target)
        if self.place.marked(target) > self.place.state(target).batch:
            self.caught[Moment.COMMIT] += 1
        if orphans > known[0]:
            self.caught[Moment.DATA] += 1
        if unfinished > known[1]:
            self.caught[Moment.CHECKPOINT] += 1

    def _leavings(self, target: Path) -> tuple[int, int]:
        """Data files that no commit names, and files of checkpoints that were never done."""
        state = self.place.state(target)
        return state.data - self.place.added(target), state.unfinished

    def finish(self, side: str) -> None:
        self._whole(side, "copy")

    def wrong(self) -> list[str]:
        """What stock finds wrong with the targets."""
        expected = [self.rows, self.rows, 0, self.rows - 1]
        found = self._whole("stock", "look")
        return [
            f"{target.name} has {told}, not {expected}"
            for target, told in zip(self.place.targets, found, strict=True)
            if told != expected
        ]

    def _start(self, side: str, action: str, **more: object) -> subprocess.Popen[bytes]:
        folder = self.place.folder
        asked = {
            "action": action,
            "answer": str(folder / "answer.json"),
            "folder": str(folder),
            "jars": [str(jar) for jar in jars(side)],
            "streams": self.place.streams,
            **more,
        }
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "crashes.copying", json.dumps(asked)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=folder,
                env={**os.environ, "PYTHONPATH": str(TESTS), "SPARK_LOCAL_IP": "127.0.0.1"},
                start_new_session=True,
            )

    def _whole(self, side: str, action: str, **more: object) -> Any:
        process = self._start(side, action, **more)
        if process.wait(timeout=600) != 0:
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
    moments: Sequence[Moment] = tuple(Moment),
    told: Callable[[str], None],
) -> Crashes:
    """So many kills, of the sides and at the moments in turn, and a run to the end."""
    crashes = Crashes(place, rows=10 * files, files=files, seed=seed)
    turns = zip(itertools.cycle(sides), itertools.cycle(moments), strict=False)
    for side, moment in itertools.islice(turns, kills):
        killed = crashes.kill(side, moment)
        told(f"{side}: {'killed' if killed else 'done before'} {moment.value}")
    crashes.finish(sides[0])
    return crashes
