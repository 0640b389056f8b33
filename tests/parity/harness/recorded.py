# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Stock's recorded traces of the catalogue scripts, and the tables they were made with.

The tables are kept byte for byte, since offsets and their order depend on ids, file names and file
times. A recording has stock's version and a digest of its script, so that a stale one is detected.

The recordings are of the newest line of Spark. The folder of another line has those that differ.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from parity.harness import codec
from parity.harness.stored_failures import digest
from parity.harness.tables import Change
from parity.harness.trace import Trace
from parity.history import History
from parity.script import Script
from support import build

FOLDER = Path(__file__).resolve().parents[1] / "recordings"
VERSIONS = Path(__file__).resolve().parents[3] / "project" / "Versions.scala"


class StaleError(Exception):
    """The recording of a script is missing or stale; the message says how to record it."""


def stock_version() -> str:
    """The version of the stock jar that the build fetches."""
    found = re.search(r'val delta = "([^"]+)"', VERSIONS.read_text())
    assert found is not None
    return found[1]


def read(file: Path) -> dict[str, Any]:
    """The recordings in a file; none if it does not exist."""
    empty = '{"stock": "", "scripts": {}}'
    content: dict[str, Any] = json.loads(file.read_text() if file.is_file() else empty)
    return content


def fitting(file: Path, name: str, script: str) -> dict[str, Any]:
    """The recording of `name`; raises StaleError if its digest or its stock version differs."""
    content = read(of_line(file, build.LINE))
    if name not in content["scripts"]:
        content = read(file)
    found: dict[str, Any] | None = content["scripts"].get(name)
    if found is None or found["script"] != script or content["stock"] != stock_version():
        raise StaleError(
            f"no recording of the current {name!r} by delta-spark {stock_version()}: "
            "run `make recordings`"
        )
    return found


def write(file: Path, scripts: Mapping[str, object]) -> None:
    """Replaces the file, with one line per script; on another line than the newest, that line's."""
    if is_newest_line():
        _write(file, scripts)
        return
    common = read(file)["scripts"]
    own = {name: script for name, script in scripts.items() if plain(script) != common.get(name)}
    file = of_line(file, build.LINE)
    file.unlink(missing_ok=True)
    if own:
        _write(file, own)


def of_line(file: Path, line: str) -> Path:
    """Where the recordings of a line are that differ from those in a file."""
    return file.parent / line / file.name


def is_newest_line() -> bool:
    return build.LINES[-1] == build.LINE


def _write(file: Path, scripts: Mapping[str, object]) -> None:
    file.parent.mkdir(exist_ok=True)
    lines = ",\n".join(f"{compact(name)}:{compact(scripts[name])}" for name in scripts)
    file.write_text(f'{{"stock":{compact(stock_version())},"scripts":{{\n{lines}\n}}}}\n')


def plain(value: object) -> object:
    """The value as it is read from JSON."""
    return json.loads(compact(value))


@dataclass(frozen=True)
class Recordings:
    folder: Path = FOLDER

    def trace(self, part: str, script: Script) -> Trace:
        trace: Trace = codec.value(fitting(self._file(part), script.name, played(script))["trace"])
        return trace

    def names(self, part: str) -> list[str]:
        return sorted(read(self._file(part))["scripts"])

    def same_on_every_line(self, part: str, script: Script) -> bool:
        files = [of_line(self._file(part), line) for line in build.LINES]
        return all(script.name not in read(file)["scripts"] for file in files)

    def tables(self) -> "Tables":
        return Tables(self.folder / "tables.zip")

    def _file(self, part: str) -> Path:
        return self.folder / f"{part}.json"

    def keep(self, parts: Mapping[str, Iterable[tuple[Script, Trace]]]) -> None:
        """Replaces the recordings of these parts."""
        for part, traces in parts.items():
            scripts = {
                script.name: {"script": played(script), "trace": codec.plain(trace)}
                for script, trace in traces
            }
            write(self._file(part), scripts)


class Tables:
    """Histories as written by stock: an index, and the bytes of each file, stored by digest."""

    def __init__(self, archive: Path) -> None:
        self._archive = archive
        self._index: dict[str, Any] = {}
        if archive.is_file():
            with ZipFile(archive) as opened:
                self._index = json.loads(opened.read("index.json"))

    def changes(self, history: History, folder: Path) -> tuple[Change, ...] | None:
        """Writes the history's files to the folder, if it was recorded."""
        found = self._index.get(key(history))
        if found is None:
            return None
        with ZipFile(self._archive) as opened:
            for number, change in enumerate(found):
                for name, (content, time) in change["files"].items():
                    file = folder / f"change-{number}" / name
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_bytes(opened.read(content))
                    os.utime(file, ns=(time, time))
                (folder / f"change-{number}").mkdir(parents=True, exist_ok=True)
        return tuple(
            Change(folder / f"change-{number}", tuple(change["gone"]))
            for number, change in enumerate(found)
        )

    def keep(self, histories: Mapping[History, tuple[Change, ...]]) -> None:
        """Replaces the whole archive."""
        contents: dict[str, bytes] = {}
        index: dict[str, Any] = {}
        for history, changes in histories.items():
            index[key(history)] = [entry(change, contents) for change in changes]
        self._archive.parent.mkdir(exist_ok=True)
        with ZipFile(self._archive, "w") as opened:
            contents["index.json"] = json.dumps(index, sort_keys=True).encode()
            for name in sorted(contents):
                opened.writestr(ZipInfo(name), contents[name], ZIP_DEFLATED, 9)


def played(script: Script) -> str:
    """A digest of everything that determines the trace, so without name, reason and cited rows."""
    return digest((script.history, script.options, script.steps))


def entry(change: Change, contents: dict[str, bytes]) -> dict[str, Any]:
    files: dict[str, tuple[str, int]] = {}
    for file in sorted(file for file in change.folder.rglob("*") if file.is_file()):
        content = file.read_bytes()
        name = sha256(content).hexdigest()[:20]
        contents[name] = content
        files[str(file.relative_to(change.folder))] = (name, file.stat().st_mtime_ns)
    return {"files": files, "gone": list(change.gone)}


def key(history: History) -> str:
    return sha256(codec.written(history).encode()).hexdigest()[:20]


def compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
