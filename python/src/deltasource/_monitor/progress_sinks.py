# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Progress sinks: functions that receive the progress of queries. Here are three."""

from __future__ import annotations

import json
import logging
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from deltasource._logger import LOG
from deltasource._monitor.progress import Progress
from deltasource._monitor.prometheus import format_text
from deltasource._options.validation import validate

ProgressSink: TypeAlias = Callable[[Progress], None]
"""A function that `monitor` calls with each progress, in a background thread."""

FILE_ALLOWED = "must be a file in a local folder that exists"
PROM_ALLOWED = "must be a file whose name ends with .prom, in a local folder that exists"


def json_lines(path: str | os.PathLike[str]) -> ProgressSink:
    """Create a progress sink that appends each progress to a local file, as a line of JSON.

    A line is Spark's own JSON (`Progress.raw`); `Progress.of(json.loads(line))` reads it back. The
    file is created if needed, and opened for each line, so that log rotation can move it.

    Args:
        path: A file in a local folder that exists.

    Returns:
        A progress sink for `monitor`.

    Raises:
        OptionsError: The folder does not exist.

    Example:
        >>> import deltasource
        >>> sink = deltasource.json_lines("progress.jsonl")
        >>> with deltasource.monitor(spark, sink):  # doctest: +SKIP
        ...     query.awaitTermination()
    """
    validate(("path", path, _in_a_folder(path), FILE_ALLOWED))
    file = Path(path)

    def append(progress: Progress) -> None:
        line = json.dumps(progress.raw, separators=(",", ":"), allow_nan=False)
        with file.open("a", encoding="utf-8") as lines:
            lines.write(f"{line}\n")

    return append


def prometheus(path: str | os.PathLike[str]) -> ProgressSink:
    """Create a progress sink that writes the latest metrics of queries to a file for Prometheus.

    The file has the text exposition format 0.0.4, for the textfile collector of the node exporter:
    gauges in seconds, bytes and ratios, with the labels `query` (name or id) and `source`
    (position, from 0). docs/monitoring.md lists them. Unknown values have no line. The file is
    replaced atomically.

    A query that has ended keeps its last values; `deltasource_progress_timestamp_seconds` shows how
    old they are. Each process needs its own file.

    Args:
        path: A file in a local folder that exists. Its name must end with `.prom`, or the
            collector ignores it.

    Returns:
        A progress sink for `monitor`.

    Raises:
        OptionsError: The name does not end with `.prom`, or the folder does not exist.

    Example:
        >>> import deltasource
        >>> sink = deltasource.prometheus("orders.prom")
        >>> with deltasource.monitor(spark, sink):  # doctest: +SKIP
        ...     query.awaitTermination()
    """
    fits = _in_a_folder(path) and os.fspath(path).endswith(".prom")
    validate(("path", path, fits, PROM_ALLOWED))
    file = Path(path)
    # Not from tempfile: only its owner could read it, and the collector is another user.
    temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    latest: dict[str, Progress] = {}
    lock = threading.Lock()

    def write(progress: Progress) -> None:
        with lock:
            latest[progress.query] = progress
            temporary.write_bytes(format_text(latest).encode("utf-8", "replace"))
            temporary.replace(file)

    return write


def log_progress(
    logger: logging.Logger | None = None, *, level: int = logging.INFO
) -> ProgressSink:
    """Create a progress sink that logs one line for each progress, `str(progress)`.

    Args:
        logger: The logger; None is the one named "deltasource".
        level: A level of `logging`, INFO by default.

    Returns:
        A progress sink for `monitor`.

    Example:
        >>> import deltasource
        >>> sink = deltasource.log_progress()
        >>> with deltasource.monitor(spark, sink):  # doctest: +SKIP
        ...     query.awaitTermination()
    """
    chosen = LOG if logger is None else logger

    def write(progress: Progress) -> None:
        chosen.log(level, "%s", progress)

    return write


def _in_a_folder(path: object) -> bool:
    return isinstance(path, str | os.PathLike) and Path(path).parent.is_dir()
