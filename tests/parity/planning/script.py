# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A planning script: a log that grows, and what a source over it is asked, as the engine asks."""

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

    A batch that was planned and not done is planned again and done; after one that was done, the
    engine asks for it once more and throws it away, and so does this.
    """

    options: Mapping[str, str] = field(default_factory=dict)
    """Instead of, or beside, those of the script; `<checkpoint>` in a value is its folder."""
    mode: Mode = Mode.DEFAULT
    cold: bool = False
    """Whether it is a new process, which knows nothing of the table."""


@dataclass(frozen=True)
class Go:
    """At most so many batches are planned and done."""

    count: int = 1


@dataclass(frozen=True)
class Ahead:
    """One batch is planned and not done."""

    forget: bool = False
    """Whether the engine died before it wrote the offset."""


@dataclass(frozen=True)
class Land:
    """So many commits appear at once."""

    count: int = 1


@dataclass(frozen=True)
class Rest:
    """Batches until there is nothing new."""


Step: TypeAlias = Open | Go | Ahead | Land | Rest


@dataclass(frozen=True, kw_only=True)
class Plans:
    table: Table
    options: Mapping[str, str] = field(default_factory=dict)
    confs: Mapping[str, str] = field(default_factory=dict)
    """Of the session."""
    steps: tuple[Step, ...]

    def mode_at(self, number: int) -> Mode | None:
        """That of the source which is asked at the step of this number."""
        opened = [step.mode for step in self.steps[: number + 1] if isinstance(step, Open)]
        return opened[-1] if opened else None
