# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What a side did: one `Moment` after each step of a script."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from parity.script import Place

Row: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True)
class Batch:
    id: int
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Failure:
    """An error as a user sees it; `phase` is load, start or run."""

    phase: str
    kind: str
    condition: str | None
    state: str | None
    parameters: tuple[tuple[str, str | None], ...]
    message: str | None
    """Only for errors without a condition: other messages are not compared."""

    @property
    def name(self) -> str:
        return self.condition or self.kind.rsplit(".", 1)[-1]


@dataclass(frozen=True)
class Moment:
    step: str
    state: str
    batches: tuple[Batch, ...]
    offsets: tuple[tuple[int, str], ...]
    commits: tuple[int, ...]
    failure: Failure | None
    schemas: tuple[tuple[str, str], ...] = ()
    """The schema log entries, each with its file name."""


Trace: TypeAlias = tuple[Moment, ...]


def settled(
    answer: Mapping[str, Any], replace: Mapping[str, str]
) -> tuple[str, tuple[Batch, ...], Failure | None]:
    """A worker's answer as values; `replace` masks the folders, which differ by run."""
    batches = tuple(
        Batch(batch["id"], tuple(sorted(tuple(row) for row in batch["rows"])))
        for batch in answer["batches"]
    )
    return answer["state"], batches, thrown(answer["failure"], replace)


def thrown(answer: Mapping[str, Any] | None, replace: Mapping[str, str]) -> Failure | None:
    if answer is None:
        return None
    plain = json.dumps(answer)
    for old, new in replace.items():
        plain = plain.replace(json.dumps(old)[1:-1], new)
    error = json.loads(plain)
    return Failure(
        phase=error["phase"],
        kind=error["kind"],
        condition=error["condition"],
        state=error["state"],
        parameters=tuple(sorted(error["parameters"].items())),
        message=None if error["condition"] else unnumbered(error["message"]),
    )


def unnumbered(message: str | None) -> str | None:
    """Masks the expression ids of Spark's plans, which differ by process."""
    return message and re.sub(r"#\d+L?", "#", message)


def failure(trace: Trace) -> Failure | None:
    """The first error of a trace."""
    return next((moment.failure for moment in trace if moment.failure is not None), None)


def batches(trace: Trace) -> tuple[Batch, ...]:
    return tuple(batch for moment in trace for batch in moment.batches)


def offsets(checkpoint: Path) -> tuple[tuple[int, str], ...]:
    """The sources' lines of each offset file, byte for byte, without the engine's first two."""
    return tuple(
        (int(file.name), file.read_bytes().decode().split("\n", 2)[2])
        for file in numbered(checkpoint / "offsets")
    )


def commits(checkpoint: Path) -> tuple[int, ...]:
    return tuple(int(file.name) for file in numbered(checkpoint / "commits"))


def schemas(checkpoint: Path, replace: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Every schema log entry below the checkpoint, byte for byte except for masked folders."""
    found: list[tuple[str, str]] = []
    for folder in sorted(checkpoint.glob("**/_schema_log_*")):
        for file in numbered(folder):
            text = file.read_bytes().decode()
            for old, new in replace.items():
                text = text.replace(old, new)
            found.append((f"{folder.relative_to(checkpoint)}/{file.name}", text))
    return tuple(found)


def numbered(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(
        (file for file in folder.iterdir() if file.name.isdigit()), key=lambda file: int(file.name)
    )


def place(line: str) -> Place:
    offset = json.loads(line)
    if offset["index"] < 0:
        return Place.BOUNDARY
    return Place.SNAPSHOT if offset["isStartingVersion"] else Place.COMMIT
