# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A parity script: a history, a stream's options, and the steps of the stream.

Each `Start` begins a leg, and every leg may run on another side with the same checkpoint.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from parity.expected_rows import added, left
from parity.history import History


class Trigger(Enum):
    """The stream's trigger."""

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
    """Begins a leg: loads the table again and, from the second leg on, resumes the checkpoint."""

    trigger: Trigger = Trigger.DEFAULT
    options: Mapping[str, str] = field(default_factory=dict)
    """Override or extend those of the script; `<checkpoint>` in a value is its folder."""
    confs: Mapping[str, str] = field(default_factory=dict)
    """Session confs during the leg."""
    again: bool = False
    """Whether the query uses the DataFrame that the previous leg loaded."""
    twice: bool = False
    """Whether one query reads the table twice."""


@dataclass(frozen=True)
class Batches:
    """`count` batches go through; the next one, if any, is planned and held."""

    count: int = 1


@dataclass(frozen=True)
class Drain:
    """Everything goes through until the stream waits for data or is over."""


@dataclass(frozen=True)
class Write:
    """Commits to the table: a waiting stream sees them one by one, a held one all at once."""

    ops: History


@dataclass(frozen=True)
class Stop:
    """Ends the leg. A held batch stays planned, as after a crash, unless `forget` is set."""

    at: Place | None = None
    """Where the last finished batch must have ended: the script is about this place."""
    forget: bool = False


@dataclass(frozen=True)
class Uncommit:
    """Removes the last commit log entry: the sink wrote the batch, the engine did not record it."""


@dataclass(frozen=True)
class Forge:
    """Replaces `old` by `new` in the last offset; without `old`, replaces the whole line."""

    new: str
    old: str = ""


@dataclass(frozen=True)
class Amend:
    """Replaces `old` by `new` in the newest schema log entry."""

    old: str
    new: str


@dataclass(frozen=True)
class Occupy:
    """Writes the newest schema log entry again under the next number, as another stream would."""


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
    """The rows that must be delivered, each as often as listed; None: all rows ever added, once.

    For a change feed: the rows of the table after all changes are applied to an empty one.
    """
    fails: str = ""
    """The condition, or else the class, of the error that ends the script on stock."""
    allows: str = ""
    """The one entry of `differences.py` that this script needs."""
    unreadable_on: tuple[str, ...] = ()
    """The lines of Spark that cannot read its data files, so that it fails there on both sides."""

    @property
    def whole(self) -> History:
        """The history including everything written while the stream runs."""
        later = [op for step in self.steps if isinstance(step, Write) for op in step.ops]
        return self.history + tuple(later)

    @property
    def legs(self) -> int:
        return sum(isinstance(step, Start) for step in self.steps)

    @property
    def hands_over(self) -> bool:
        """Whether another side can resume its checkpoint: not a forged one, and not with a reused
        DataFrame."""
        kept = any(isinstance(step, Start) and step.again for step in self.steps)
        return self.legs > 1 and not kept and not any(isinstance(s, Forge) for s in self.steps)

    @property
    def feed(self) -> bool:
        """Whether rows are changes, followed by their type, version and timestamp."""
        return any(key.lower() in FEED for key in self.options)

    @property
    def expected(self) -> tuple[int, ...]:
        if self.rows is not None:
            return self.rows
        return left(self.whole) if self.feed else added(self.whole)
