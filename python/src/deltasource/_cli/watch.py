# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The command `watch`, a live view of queries."""

from __future__ import annotations

import argparse
import importlib.util
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from deltasource._cli import table
from deltasource._cli.command import CommandResult, Commands, path
from deltasource._format import printable
from deltasource._lag import Lag
from deltasource._monitor.events import Event
from deltasource._options.validation import validate
from deltasource._session.extras import missing_library
from deltasource._views.connect_queries import ConnectQueries, is_address
from deltasource._views.event_tail import EventTail
from deltasource._views.query_summary import QuerySummary, with_event
from deltasource._views.terminal import draw

if TYPE_CHECKING:
    from rich.console import Console

WRITTEN_WHEN: Final = "a query writes it when it is monitored with monitor(spark, json_lines({}))"
FOLDER: Final = (
    "must be a file of events, and this is a folder: give the file that a query writes when it is "
    'monitored with monitor(spark, json_lines("events.jsonl")), not its checkpoint'
)
NO_FILE: Final = (
    "{} does not exist. With --once, with --format json or csv, and if the output is not a "
    "terminal, there must be a file: start the query first, or watch in a terminal, which waits; {}"
)

_SECONDS: Final = 1.0
_UNKNOWN: Final = Lag(versions=None, files=None, bytes=None, seconds=None)
_COLUMNS: Final = (
    *("query", "state", "batch", "rows_per_second"),
    *("lag_versions", "lag_files", "lag_bytes", "lag_seconds"),
    *("snapshot_percent", "snapshot_seconds_left", "error", "updated"),
)


class EventSource(Protocol):
    """Where events come from: a file or a server."""

    @property
    def note(self) -> str:
        """What could not be read so far, or empty."""
        ...

    def poll(self) -> Sequence[Event]:
        """Return the events since the last call."""
        ...

    def close(self) -> None:
        """Stop."""
        ...


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "watch",
        help="show what queries do, live; if the output is not a terminal, show it only once",
    )
    parser.add_argument(
        "source",
        metavar="file_or_address",
        type=path,
        help="a file that json_lines writes, or sc://host:port/;session_id=...;user_id=... for "
        "the queries of a Spark Connect session",
    )
    parser.add_argument("--once", action="store_true", help="print the current state and end")
    table.add_format(parser)
    parser.set_defaults(run=_watch)


def _watch(given: argparse.Namespace) -> CommandResult:
    drawn = given.format == "text"
    if drawn and importlib.util.find_spec("rich") is None:
        raise missing_library("rich", extra="cli")
    once = given.once or not drawn or not sys.stdout.isatty()
    try:
        if not is_address(given.source):
            _require_file(Path(given.source), once)
        source: EventSource = (
            ConnectQueries(given.source) if is_address(given.source) else EventTail(given.source)
        )
        try:
            if once:
                summaries = with_events({}, source.poll())
            else:
                summaries = follow(source, title=given.source, console=_console(), wait=time.sleep)
            messages = (source.note,) if source.note else ()
            return CommandResult(_snapshot(summaries, given), messages)
        finally:
            source.close()
    except KeyboardInterrupt:
        return CommandResult("")


def _require_file(file: Path, once: bool) -> None:
    """Wait for a file; FileNotFoundError if it is needed at once."""
    validate(("file", str(file), not file.is_dir(), FOLDER))
    written = WRITTEN_WHEN.format(repr(str(file)))
    if not once:
        wait_for(file, written, console=_console(), wait=time.sleep)
    if not file.exists():
        raise FileNotFoundError(NO_FILE.format(file, written))


def wait_for(file: Path, written: str, *, console: Console, wait: Callable[[float], None]) -> None:
    """Say that a file is missing and who writes it, until it exists."""
    if not file.exists():
        console.print(f"waiting for {printable(str(file))}; {written}", markup=False)
    while not file.exists():
        wait(_SECONDS)


def follow(
    source: EventSource, *, title: str, console: Console, wait: Callable[[float], None]
) -> Mapping[str, QuerySummary]:
    """Draw the queries until Ctrl-C; return their last state."""
    from rich.live import Live

    summaries: Mapping[str, QuerySummary] = {}
    with Live(console=console, screen=True, auto_refresh=False) as live:
        try:
            while True:
                summaries = with_events(summaries, source.poll())
                size = console.size
                view = draw(
                    summaries.values(),
                    title=shown(title),
                    note=source.note,
                    width=size.width,
                    height=size.height,
                    now=_now(),
                )
                live.update(view, refresh=True)
                wait(_SECONDS)
        except KeyboardInterrupt:
            return summaries


def with_events(
    summaries: Mapping[str, QuerySummary], events: Sequence[Event]
) -> Mapping[str, QuerySummary]:
    """Return the summaries after some events."""
    for event in events:
        summaries = with_event(summaries, event)
    return summaries


def shown(source: str) -> str:
    """Return a source without what may be secret, such as the token in an address."""
    return source.partition(";")[0] if is_address(source) else source


def _snapshot(summaries: Mapping[str, QuerySummary], given: argparse.Namespace) -> str:
    if given.format != "text":
        rows = [_record(one) for one in summaries.values()]
        return table.format_rows(rows, output_format=given.format, columns=_COLUMNS)
    console = _console()
    view = draw(summaries.values(), title=shown(given.source), width=console.size.width, now=_now())
    with console.capture() as captured:
        console.print(view, soft_wrap=True)
    return captured.get().rstrip("\n")


def _record(summary: QuerySummary) -> table.Record:
    lag = summary.lag or _UNKNOWN
    return {
        "query": summary.query,
        "state": summary.state,
        "batch": summary.batch_id,
        "rows_per_second": summary.rows_per_second,
        "lag_versions": lag.versions,
        "lag_files": lag.files,
        "lag_bytes": lag.bytes,
        "lag_seconds": lag.seconds,
        "snapshot_percent": summary.snapshot_percent,
        "snapshot_seconds_left": summary.snapshot_seconds_left,
        "error": summary.error,
        "updated": summary.updated.isoformat(),
    }


def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False)


def _now() -> datetime:
    return datetime.now(timezone.utc)
