# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A stream that does not start because a schema change is not acknowledged.

Delta lists the options and the session confs that acknowledge it in the message of its condition
DELTA_STREAMING_CANNOT_CONTINUE_PROCESSING_POST_SCHEMA_EVOLUTION; each conf is for one checkpoint.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from deltasource._monitor.change_text import format_kinds
from deltasource._options.schema_tracking import ALLOW_KEYS
from deltasource._schema_change import SchemaChangeKind

BLOCKED: Final = "DELTA_STREAMING_CANNOT_CONTINUE_PROCESSING_POST_SCHEMA_EVOLUTION"

# Those with a number are for this change only; the others, with "always", are for later ones too.
_CONF: Final = re.compile(r"^\s*SET (spark\.\S+) = (\d+);$", re.MULTILINE)
_OPTION: Final = re.compile(r"^\s*\.option\(\"(\w+)\", \"(\d+)\"\)$", re.MULTILINE)
_ARGUMENTS: Final = {key: name for name, key in ALLOW_KEYS.items()}
_KINDS: Final[Mapping[str, tuple[SchemaChangeKind, ...]]] = {
    "allow_rename": ("renamed",),
    "allow_drop": ("dropped",),
    "allow_type_change": ("widened", "type_changed"),
}


@dataclass(frozen=True)
class BlockedStart:
    """What acknowledges the change: confs of the session, or arguments of SchemaTracking."""

    version: int
    confs: Mapping[str, str]
    arguments: Mapping[str, int]

    @classmethod
    def of(cls, error: Exception) -> BlockedStart | None:
        """Read it from an exception with that condition; None if Delta words it differently."""
        text = str(error)
        options: list[tuple[str, str]] = _OPTION.findall(text)
        arguments = {_ARGUMENTS[name]: int(at) for name, at in options if name in _ARGUMENTS}
        confs = dict(_CONF.findall(text))
        if not confs or not arguments:
            return None
        return cls(max(arguments.values()), confs, arguments)

    @property
    def kinds(self) -> tuple[SchemaChangeKind, ...]:
        """The kinds of change that must be acknowledged."""
        return tuple(kind for name in self.arguments for kind in _KINDS[name])

    def explain(self, table: str, location: str) -> str:
        """Return what to do about the change, if no schema log tells which columns changed."""
        return (
            f"{table} changed, and the stream does not start before that is acknowledged: call "
            f"`run_until` with location={location!r} and allow={format_kinds(self.kinds)}, or read "
            f"the table with {self.tracking(location)}"
        )

    def tracking(self, location: str) -> str:
        """Return the line of Python that acknowledges the change."""
        return tracking_line(location, self.arguments)


def tracking_line(location: str, arguments: Mapping[str, int]) -> str:
    """Return SchemaTracking with arguments, as a line of Python."""
    given = "".join(f", {name}={version}" for name, version in arguments.items())
    return f"SchemaTracking(location={location!r}{given})"


class Acknowledgements:
    """The confs that a run has set on the session."""

    def __init__(self) -> None:
        self._confs: dict[str, str] = {}

    def add(self, blocked: BlockedStart) -> bool:
        """Acknowledge a change; False if it was acknowledged before, which had no effect."""
        if blocked.confs.items() <= self._confs.items():
            return False
        conf = _active_conf()
        for key, value in blocked.confs.items():
            conf.set(key, value)
        self._confs |= blocked.confs
        return True

    def remove(self) -> None:
        """Remove them: a later stream decides for itself."""
        if self._confs:
            conf = _active_conf()
            for key in self._confs:
                conf.unset(key)
            self._confs = {}


@contextmanager
def acknowledgements() -> Generator[Acknowledgements, None, None]:
    """Return a collection of acknowledgements that are removed after the block."""
    made = Acknowledgements()
    try:
        yield made
    finally:
        made.remove()


def _active_conf() -> Any:
    from pyspark.sql import SparkSession

    return SparkSession.active().conf
