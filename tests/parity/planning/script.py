# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A planning script: a growing log, and the calls of a source over it, in the engine's order."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

from parity.planning.table import Table


class Mode(Enum):
    DEFAULT = "each batch within the limits"
    NOW = "as with AvailableNow"
    ONCE = "as with Once"


@dataclass(frozen=True)
class Open:
    """A new source, from the checkpoint if there is one.

    A batch that was planned and not finished is planned again and finished. The last finished
    batch is requested once more and discarded, as the engine does.
    """

    options: Mapping[str, str] = field(default_factory=dict)
    """Override or extend those of the script; `<checkpoint>` in a value is its folder."""
    mode: Mode = Mode.DEFAULT
    cold: bool = False
    """Whether it is a new process, without cached snapshots."""


@dataclass(frozen=True)
class Go:
    """At most `count` batches are planned and finished."""

    count: int = 1


@dataclass(frozen=True)
class Ahead:
    """One batch is planned and not finished."""

    forget: bool = False
    """Whether the engine died before writing the offset."""


@dataclass(frozen=True)
class Land:
    """`count` commits land at once."""

    count: int = 1


@dataclass(frozen=True)
class Rest:
    """Batches until there is no new data."""


Step: TypeAlias = Open | Go | Ahead | Land | Rest


@dataclass(frozen=True, kw_only=True)
class Plans:
    table: Table
    options: Mapping[str, str] = field(default_factory=dict)
    confs: Mapping[str, str] = field(default_factory=dict)
    """Session confs."""
    steps: tuple[Step, ...]

    def mode_at(self, number: int) -> Mode | None:
        """The mode of the source at a step."""
        opened = [step.mode for step in self.steps[: number + 1] if isinstance(step, Open)]
        return opened[-1] if opened else None
