# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Event sinks: functions that receive the events of queries. Here are those without a library."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from deltasource._logger import LOG
from deltasource._monitor.event_file import append_event
from deltasource._monitor.events import Event, QueryFailed, QueryIdle
from deltasource._monitor.log_fields import log_fields
from deltasource._monitor.output_file import append_problem, create_problem, writable_rule
from deltasource._monitor.prometheus import format_text
from deltasource._monitor.query_series import MAX_QUERIES, QuerySeries, max_queries_rule
from deltasource._options.hints import with_hint
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._options.validation import Rule, validate

EventSink: TypeAlias = Callable[[Event], None]
"""A function that `monitor` calls with each event, in a background thread."""

LOGGER_ALLOWED = "must be a logging.Logger, such as logging.getLogger('orders')"
LEVEL_ALLOWED = "must be a level of logging, such as logging.DEBUG"
CLOSED = "this event sink is closed: create another one for each `monitor`"
PROM_ALLOWED = "must be a file whose name ends with .prom, in a local folder that exists"


@with_keyword_hints
def json_lines(path: str | os.PathLike[str]) -> EventSink:
    """Create an event sink that appends each event to a local file, as a line of JSON.

    `read_events` reads the file. The line of a progress report is Spark's own JSON
    (`Progress.raw`); other lines have a field `event`: "started", "idle", "failed" or "ended". The
    file is created if needed, and opened for each line, so that log rotation can move it.

    Args:
        path: A file in a local folder that exists.

    Returns:
        An event sink for `monitor`.

    Raises:
        OptionsError: The folder does not exist, or the file cannot be written.

    Example:
        >>> import deltasource
        >>> sink = deltasource.json_lines("progress.jsonl")
        >>> with deltasource.monitor(spark, sink):  # doctest: +SKIP
        ...     query.awaitTermination()
    """
    validate(json_lines_rule("path", path))
    file = Path(path)

    def append(event: Event) -> None:
        append_event(file, event)

    return append


@with_keyword_hints
def prometheus(path: str | os.PathLike[str], *, max_queries: int = MAX_QUERIES) -> EventSink:
    """Create an event sink that writes the latest metrics of queries to a file for Prometheus.

    The file has the text exposition format 0.0.4, for the textfile collector of the node exporter:
    gauges in seconds, bytes and ratios, with the labels `query` (name or id) and `source`
    (position, from 0). docs/reference/prometheus-and-opentelemetry.md lists them. Unknown values
    have no line. The file is replaced atomically.

    `deltasource_query_state` is 1 for the state of a query: running, idle, failed or ended. For
    a query that has failed or ended, the file also keeps the times of its last batch and of its
    end, and no other numbers. Give queries names: one without a name has a new id whenever it
    starts with a new checkpoint. Each process needs its own file.

    Args:
        path: A file in a local folder that exists. Its name must end with `.prom`, or the
            collector ignores it.
        max_queries: How many queries the file has at most, 200 by default. Further ones replace
            those that have ended, and a warning is logged once.

    Returns:
        An event sink for `monitor`.

    Raises:
        OptionsError: The name does not end with `.prom`, the folder does not exist or cannot be
            written, or `max_queries` is not an integer of at least 1.

    Example:
        >>> import deltasource
        >>> sink = deltasource.prometheus("orders.prom")
        >>> with deltasource.monitor(spark, sink):  # doctest: +SKIP
        ...     query.awaitTermination()
    """
    validate(prometheus_rule("path", path), max_queries_rule(max_queries))
    file = Path(path)
    # Not from tempfile: only its owner could read it, and the collector is another user.
    temporary = file.with_name(f".{file.name}.{os.getpid()}.tmp")
    series = QuerySeries(max_queries)
    lock = threading.Lock()

    def write(event: Event) -> None:
        with lock:
            series.add(event)
            temporary.write_text(format_text(series.latest), encoding="utf-8")
            temporary.replace(file)

    return write


@with_keyword_hints
def log_progress(logger: logging.Logger | None = None, *, level: int = logging.INFO) -> EventSink:
    """Create an event sink that logs one line for each event, `str(event)`.

    A failure is logged at ERROR, and a query that waits for data at DEBUG. The records have
    structured fields, which docs/reference/monitoring.md lists: `deltasource_query` is the name of
    the query.

    Args:
        logger: The logger; None is the one named "deltasource".
        level: The level of all other events, INFO by default.

    Returns:
        An event sink for `monitor`.

    Raises:
        OptionsError: `logger` is not a logger, or `level` is not an integer; names such as "INFO"
            are not accepted.

    Example:
        >>> import deltasource
        >>> sink = deltasource.log_progress()
        >>> with deltasource.monitor(spark, sink):  # doctest: +SKIP
        ...     query.awaitTermination()
    """
    known = logger is None or isinstance(logger, logging.Logger | logging.LoggerAdapter)
    allowed = with_hint(LEVEL_ALLOWED, "level", _nearest_level(level))
    validate(
        ("logger", logger, known, LOGGER_ALLOWED),
        ("level", level, type(level) is int, allowed),
    )
    chosen = LOG if logger is None else logger

    def write(event: Event) -> None:
        match event:
            case QueryFailed():
                at = logging.ERROR
            case QueryIdle():
                at = logging.DEBUG
            case _:
                at = level
        chosen.log(at, "%s", event, extra=log_fields(event))

    return write


def json_lines_rule(argument: str, path: str | os.PathLike[str]) -> Rule:
    """Return the rule for a file of events, which must be one that can be appended to."""
    return writable_rule(argument, path, append_problem)


def prometheus_rule(argument: str, path: str | os.PathLike[str]) -> Rule:
    """Return the rule for a file of metrics, which is replaced by another in its folder."""
    if not str(path).endswith(".prom"):
        return argument, path, False, PROM_ALLOWED
    return writable_rule(argument, path, lambda file: create_problem(file.parent), PROM_ALLOWED)


def _nearest_level(level: object) -> str | None:
    name = level.strip().upper() if isinstance(level, str) else ""
    return f"logging.{name}" if type(getattr(logging, name, None)) is int else None
