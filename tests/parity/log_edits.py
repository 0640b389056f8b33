# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Operations of a history that change a log's files as no writer would."""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Bare:
    """Adds a commit with just these lines; by default just a commitInfo."""

    lines: tuple[str, ...] = ('{"commitInfo":{"timestamp":0,"operation":"NOTHING"}}',)

    def cut(self, log: Path) -> None:
        commit(log, newest(log) + 1).write_text("".join(line + "\n" for line in self.lines))


@dataclass(frozen=True)
class Remake:
    """Adds a commit with the table's metadata, `old` replaced by `new`: like an overwrite of schema
    or partitioning, without new files."""

    old: str
    new: str

    def cut(self, log: Path) -> None:
        lines = (line for version in range(newest(log), -1, -1) for line in lines_of(log, version))
        last = next(line for line in lines if line.startswith('{"metaData"'))
        if self.old not in last:
            raise ValueError(f"{self.old} is not in {last}")
        Bare((*Bare().lines, last.replace(self.old, self.new))).cut(log)


def lines_of(log: Path, version: int) -> list[str]:
    return commit(log, version).read_text().splitlines()


@dataclass(frozen=True)
class Lose:
    """Deletes the commit of one version, as a user might delete the file."""

    version: int

    def cut(self, log: Path) -> None:
        drop(log, self.version)


@dataclass(frozen=True)
class Vanish:
    """Deletes the last data file of one version, as a VACUUM with too short a retention does."""

    version: int

    def cut(self, log: Path) -> None:
        file = last_file(log, self.version)
        file.unlink()
        sidecar(file).unlink(missing_ok=True)


@dataclass(frozen=True)
class Damage:
    """Overwrites the last data file of one version with bytes that are no Parquet file."""

    version: int

    def cut(self, log: Path) -> None:
        file = last_file(log, self.version)
        file.write_bytes(b"x" * file.stat().st_size)
        sidecar(file).unlink(missing_ok=True)


@dataclass(frozen=True)
class CleanUp:
    """Deletes the log before `version`, as a cleanup after the retention does."""

    version: int

    def cut(self, log: Path) -> None:
        for file in log.glob("[0-9]*.checkpoint*"):
            if int(file.name[:20]) < self.version:
                file.unlink()
                sidecar(file).unlink(missing_ok=True)
        for version in range(self.version):
            drop(log, version)


@dataclass(frozen=True)
class Put:
    """Writes a file of the log with this text, replacing any file of that name."""

    name: str
    text: str = ""

    def cut(self, log: Path) -> None:
        file = log / self.name
        file.parent.mkdir(exist_ok=True)
        file.write_text(self.text)
        sidecar(file).unlink(missing_ok=True)


@dataclass(frozen=True)
class Compact:
    """Writes a compacted log file of these versions, whose commits may only add."""

    first: int
    last: int

    def cut(self, log: Path) -> None:
        versions = range(self.first, self.last + 1)
        lines = [line for version in versions for line in lines_of(log, version)]
        if any(line.startswith('{"remove"') for line in lines):
            raise ValueError("cannot compact commits that remove files")
        newest = {line[: line.index(":")]: line for line in lines}
        once = [newest[key] for key in ('{"protocol"', '{"metaData"') if key in newest]
        added = [line for line in lines if line.startswith('{"add"')]
        file = log / f"{self.first:020d}.{self.last:020d}.compacted.json"
        file.write_text("".join(line + "\n" for line in (*once, *added)))


@dataclass(frozen=True)
class Tear:
    """Cuts the last `count` bytes off the newest commit, as a writer that died might."""

    count: int

    def cut(self, log: Path) -> None:
        file = commit(log, newest(log))
        file.write_bytes(file.read_bytes()[: -self.count])
        sidecar(file).unlink(missing_ok=True)


def last_file(log: Path, version: int) -> Path:
    """The last data file that a version adds."""
    added = (json.loads(line).get("add") for line in lines_of(log, version))
    *_, last = (add["path"] for add in added if add)
    return log.parent / str(last)


def commit(log: Path, version: int) -> Path:
    return log / f"{version:020d}.json"


def sidecar(file: Path) -> Path:
    """Hadoop's checksum file of a local file; a wrong one makes the file unreadable."""
    return file.with_name(f".{file.name}.crc")


def newest(log: Path) -> int:
    return max(int(file.stem) for file in log.glob("*.json") if file.stem.isdigit())


def drop(log: Path, version: int) -> None:
    for file in (commit(log, version), log / f"{version:020d}.crc"):
        file.unlink(missing_ok=True)
        sidecar(file).unlink(missing_ok=True)
