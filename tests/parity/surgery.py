# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What is done to the files of a log that no writer would do: each is a part of a history."""

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Bare:
    """A next commit with these lines only; without any, one that says nothing but its name."""

    lines: tuple[str, ...] = ('{"commitInfo":{"timestamp":0,"operation":"NOTHING"}}',)

    def cut(self, log: Path) -> None:
        commit(log, newest(log) + 1).write_text("".join(line + "\n" for line in self.lines))


@dataclass(frozen=True)
class Remake:
    """A next commit with the table's metadata once more, `old` become `new`: an overwrite of the
    schema or of the partitioning, without its files."""

    old: str
    new: str

    def cut(self, log: Path) -> None:
        lines = (line for version in range(newest(log), -1, -1) for line in told(log, version))
        last = next(line for line in lines if line.startswith('{"metaData"'))
        if self.old not in last:
            raise ValueError(f"{self.old} is not in {last}")
        Bare((*Bare().lines, last.replace(self.old, self.new))).cut(log)


def told(log: Path, version: int) -> list[str]:
    return commit(log, version).read_text().splitlines()


@dataclass(frozen=True)
class Lose:
    """The commit of one version gone, as when somebody deletes the file."""

    version: int

    def cut(self, log: Path) -> None:
        drop(log, self.version)


@dataclass(frozen=True)
class Vanish:
    """The last file that one version added gone, as after a VACUUM that kept too little."""

    version: int

    def cut(self, log: Path) -> None:
        added = (json.loads(line).get("add") for line in told(log, self.version))
        *_, last = (add["path"] for add in added if add)
        (log.parent / last).unlink()
        sidecar(log.parent / last).unlink(missing_ok=True)


@dataclass(frozen=True)
class CleanUp:
    """Everything before `version` gone, as when its retention is over."""

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
    """A file of the log with this text, whatever was there under its name."""

    name: str
    text: str = ""

    def cut(self, log: Path) -> None:
        file = log / self.name
        file.parent.mkdir(exist_ok=True)
        file.write_text(self.text)
        sidecar(file).unlink(missing_ok=True)


@dataclass(frozen=True)
class Compact:
    """A compacted log of these versions, of commits that only add."""

    first: int
    last: int

    def cut(self, log: Path) -> None:
        versions = range(self.first, self.last + 1)
        lines = [line for version in versions for line in told(log, version)]
        if any(line.startswith('{"remove"') for line in lines):
            raise ValueError("a removed file would need to be told apart")
        newest = {line[: line.index(":")]: line for line in lines}
        once = [newest[key] for key in ('{"protocol"', '{"metaData"') if key in newest]
        added = [line for line in lines if line.startswith('{"add"')]
        file = log / f"{self.first:020d}.{self.last:020d}.compacted.json"
        file.write_text("".join(line + "\n" for line in (*once, *added)))


@dataclass(frozen=True)
class Tear:
    """The newest commit without its last `count` bytes, as when its writer died."""

    count: int

    def cut(self, log: Path) -> None:
        file = commit(log, newest(log))
        file.write_bytes(file.read_bytes()[: -self.count])
        sidecar(file).unlink(missing_ok=True)


def commit(log: Path, version: int) -> Path:
    return log / f"{version:020d}.json"


def sidecar(file: Path) -> Path:
    """Where Hadoop keeps a local file's checksum; one that does not fit makes it unreadable."""
    return file.with_name(f".{file.name}.crc")


def newest(log: Path) -> int:
    return max(int(file.stem) for file in log.glob("*.json") if file.stem.isdigit())


def drop(log: Path, version: int) -> None:
    for file in (commit(log, version), log / f"{version:020d}.crc"):
        file.unlink(missing_ok=True)
        sidecar(file).unlink(missing_ok=True)
