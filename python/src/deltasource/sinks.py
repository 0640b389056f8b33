# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Where `monitor` sends the progress of queries: any function will do, and here are three."""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from deltasource._options.rules import check
from deltasource._progress import exposition
from deltasource._progress.failures import LOG
from deltasource.progress import Progress

Sink: TypeAlias = Callable[[Progress], None]
"""Takes each progress, one after the other, in a thread of the monitor's."""

FILE_ALLOWED = "a file in a local folder that is there"
PROM_ALLOWED = "a file whose name ends with .prom, in a local folder that is there"


def json_lines(path: str | os.PathLike[str]) -> Sink:
    """Append each progress to a local file: a line of JSON, as Spark says it (`Progress.raw`).

    The file is made where there is none, and opened anew for each line, so that it may be moved
    away. `Progress.of(json.loads(line))` reads one back. OptionsError without a folder for it.
    """
    check(("path", path, _in_a_folder(path), FILE_ALLOWED))
    file = Path(path)

    def append(progress: Progress) -> None:
        line = json.dumps(progress.raw, separators=(",", ":"), allow_nan=False)
        with file.open("a", encoding="utf-8") as lines:
            lines.write(f"{line}\n")

    return append


def prometheus(path: str | os.PathLike[str]) -> Sink:
    """Keep a local file with the newest numbers of each query, for Prometheus to collect.

    In Prometheus' text exposition format 0.0.4, as the textfile collector of its node exporter
    reads it: a gauge for each number, in seconds, bytes and ratios, with the labels `query` (its
    name, or its id) and `source` (its position, from 0). docs/monitoring.md lists them. What is not
    known has no line. The file is replaced whole: nobody reads half of it.

    A query that has ended keeps its last numbers; `deltasource_progress_timestamp_seconds` tells
    how old they are. Each process needs a file of its own. OptionsError where the name does not end
    with `.prom`, since the collector would pass over it, or there is no folder for it.
    """
    fits = _in_a_folder(path) and os.fspath(path).endswith(".prom")
    check(("path", path, fits, PROM_ALLOWED))
    file = Path(path)
    # Not one of the tempfile module: only its owner could read that, and the collector is another.
    fresh = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    newest: dict[str, Progress] = {}
    lock = threading.Lock()

    def write(progress: Progress) -> None:
        with lock:
            newest[progress.query] = progress
            fresh.write_bytes(exposition.text(newest).encode("utf-8", "replace"))
            fresh.replace(file)

    return write


def log(logger: logging.Logger | None = None, *, level: int = logging.INFO) -> Sink:
    """Write a line of log for each progress (`str(progress)`).

    logger  by default the one named "deltasource"
    level   one of the levels of `logging`, by default INFO
    """
    chosen = LOG if logger is None else logger

    def say(progress: Progress) -> None:
        chosen.log(level, "%s", progress)

    return say


def _in_a_folder(path: object) -> bool:
    return isinstance(path, str | os.PathLike) and Path(path).parent.is_dir()
