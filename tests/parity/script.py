# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A parity script: a history, a stream's options, and what the stream goes through step by step.

Each `Start` begins a leg, and every leg may run on another side: so checkpoints change hands.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from parity.history import History
from parity.rows import added, left


class Trigger(Enum):
    """What the engine is told about when to look for data."""

    DEFAULT = "default"
    AVAILABLE_NOW = "availableNow"
    ONCE = "once"


class Place(Enum):
    """Where in the table the last finished batch ended."""

    SNAPSHOT = "inside the initial snapshot"
    COMMIT = "inside a commit"
    BOUNDARY = "between two commits"


@dataclass(frozen=True)
class Start:
    """A leg begins: a fresh look at the table and, from the second on, the checkpoint so far."""

    trigger: Trigger = Trigger.DEFAULT
    options: Mapping[str, str] = field(default_factory=dict)
    """Instead of, or beside, those of the script; `<checkpoint>` in a value is its folder."""
    confs: Mapping[str, str] = field(default_factory=dict)
    """Of the session, while the leg lasts."""
    again: bool = False
    """Whether the query is made of the frame that the leg before has loaded."""
    twice: bool = False
    """Whether one query reads the table twice."""


@dataclass(frozen=True)
class Batches:
    """So many batches go through; the next one, if there is any, is planned and held."""

    count: int = 1


@dataclass(frozen=True)
class Drain:
    """Everything goes through until the stream waits for data or is over."""


@dataclass(frozen=True)
class Write:
    """The table goes on: one that waits sees these one by one, one that is held all at once."""

    ops: History


@dataclass(frozen=True)
class Stop:
    """The leg ends. A held batch stays planned, as after a crash, unless it is to be forgotten."""

    at: Place | None = None
    """Where the last finished batch must have ended: the script is about this place."""
    forget: bool = False


@dataclass(frozen=True)
class Uncommit:
    """The last finished batch is so no more: the sink was done, the engine had not said so."""


@dataclass(frozen=True)
class Forge:
    """In the last offset every `old` becomes `new`; without `old`, the whole line does."""

    new: str
    old: str = ""


@dataclass(frozen=True)
class Amend:
    """In the newest entry of the log of schemas every `old` becomes `new`."""

    old: str
    new: str


@dataclass(frozen=True)
class Occupy:
    """Another stream has written the next entry of the log of schemas: the newest once more."""


FEED = frozenset({"readchangefeed", "readchangedata"})

Step: TypeAlias = Start | Batches | Drain | Write | Stop | Uncommit | Forge | Amend | Occupy


@dataclass(frozen=True, kw_only=True)
class Script:
    name: str
    why: str
    cites: str
    history: History
    steps: tuple[Step, ...] = (Start(), Drain(), Stop())
    options: Mapping[str, str] = field(default_factory=dict)
    rows: tuple[int, ...] | None = None
    """The rows that must be delivered, each as often as here; without: all ever added, once.

    Of a change feed: the rows that the table has once all changes are applied to an empty one.
    """
    fails: str = ""
    """The condition, or without one the class, of the error that ends the script on stock."""
    allows: str = ""
    """The one entry of `differences.py` that this script needs."""

    @property
    def whole(self) -> History:
        """The history with everything that is written while the stream runs."""
        later = [op for step in self.steps if isinstance(step, Write) for op in step.ops]
        return self.history + tuple(later)

    @property
    def legs(self) -> int:
        return sum(isinstance(step, Start) for step in self.steps)

    @property
    def hands_over(self) -> bool:
        """Whether its checkpoint can change hands: nobody takes one that is forged, and a frame
        stays where it was loaded."""
        kept = any(isinstance(step, Start) and step.again for step in self.steps)
        return self.legs > 1 and not kept and not any(isinstance(s, Forge) for s in self.steps)

    @property
    def feed(self) -> bool:
        """Whether rows are changes, with their kind, version and time behind them."""
        return any(key.lower() in FEED for key in self.options)

    @property
    def expected(self) -> tuple[int, ...]:
        if self.rows is not None:
            return self.rows
        return left(self.whole) if self.feed else added(self.whole)
