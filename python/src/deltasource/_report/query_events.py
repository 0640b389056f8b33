# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What the events of one query tell about it, from a file of any length."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from deltasource._errors import ProgressError
from deltasource._monitor.event_file import numbered_lines, parse_line
from deltasource._monitor.events import Event, QueryEnded, QueryFailed, QueryStarted
from deltasource._monitor.progress import Progress
from deltasource._report.stream_life import BatchRecord, LagPoint, Moment, MomentKind
from deltasource._text import to_utc_text
from deltasource._views.query_summary import QuerySummary

KEPT: Final = 2000
"""How many of the latest batches, lags and moments are kept."""
FAILURES: Final = 20
"""How many of the latest failures are kept, with their stack traces."""


@dataclass
class _Run:
    """A run: when its latest event was, and whether it has an end."""

    latest: datetime
    ended: bool = False


class QueryEvents:
    """Collects what the events of one query tell.

    Counts are of all events. Lists keep the latest, so that a file may be larger than the memory.
    """

    def __init__(self) -> None:
        self.summary: QuerySummary | None = None
        self.batches: deque[BatchRecord] = deque(maxlen=KEPT)
        self.lags: deque[LagPoint] = deque(maxlen=KEPT)
        self.moments: deque[Moment] = deque(maxlen=KEPT)
        self.failures: deque[QueryFailed] = deque(maxlen=FAILURES)
        self.batch_count = self.rows = self.failure_count = 0
        self._runs: dict[str, _Run] = {}

    @property
    def run_count(self) -> int:
        """How many runs were seen."""
        return len(self._runs)

    def add(self, event: Event) -> None:
        """Add an event of this query."""
        self.summary = QuerySummary.after(self.summary, event)
        run = self._run_of(event)
        match event:
            case Progress():
                self._add_progress(event)
            case QueryFailed():
                run.ended = True
                self.failures.append(event)
                self.failure_count += 1
                # The line of an event begins with the name of its query.
                self._happened(event, "failure", str(event).removeprefix(f"{event.query!r} "))
            case QueryEnded():
                run.ended = True
                self._happened(event, "end", "ended")
            case _:
                pass

    def runs_without_end(self) -> Sequence[Moment]:
        """Return a moment for each run that has no end, except for the last run."""
        text = "this run has no end in the events: its driver was killed, or the monitor stopped"
        earlier = list(self._runs.values())[:-1]
        return [Moment(run.latest, "end", text) for run in earlier if not run.ended]

    def _run_of(self, event: Event) -> _Run:
        run = self._runs.get(event.run_id)
        if run is None:
            seen_before = bool(self._runs)
            run = self._runs[event.run_id] = _Run(event.timestamp)
            if isinstance(event, QueryStarted) and not event.already_running:
                text = "restarted" if seen_before else "started"
            else:
                # Its start is missing, as in a History.
                text = "another run" if seen_before else "was already running"
            self._happened(event, "start", text)
        run.latest = max(run.latest, event.timestamp)
        return run

    def _add_progress(self, progress: Progress) -> None:
        for source, lag in progress.lags.items():
            self.lags.append(LagPoint(progress.timestamp, source, lag))
        if not progress.executed:
            return
        self.batches.append(BatchRecord.of(progress))
        self.batch_count += 1
        self.rows += progress.rows
        if progress.sink.skipped:
            text = "was skipped: its target contained it already, from before a restart"
            self._happened(progress, "decision", f"batch {progress.batch_id} {text}")

    def _happened(self, event: Event, kind: MomentKind, text: str) -> None:
        self.moments.append(Moment(event.timestamp, kind, text))


@dataclass(frozen=True)
class FoundQueries:
    """The events of the query, if there are any, and the names of all queries with events."""

    query: QueryEvents | None
    names: Sequence[str]


def find_query(events: Iterable[Event], query_id: str | None) -> FoundQueries:
    """Collect the events of a query; without an id, of the only query that has events."""
    found: dict[str, QueryEvents] = {}
    names: dict[str, None] = {}
    for event in events:
        names[event.query] = None
        if query_id in (None, event.query_id):
            found.setdefault(event.query_id, QueryEvents()).add(event)
    only = next(iter(found.values())) if len(found) == 1 else None
    return FoundQueries(only, list(names))


def events_of(file: Path, damaged: list[str]) -> Iterator[Event]:
    """Read the events of a file; what is wrong with a line is added to `damaged`."""
    for number, line in numbered_lines(file):
        event = _event(line, f"line {number}", damaged)
        if event is not None:
            yield event


def _event(line: bytes, place: str, damaged: list[str]) -> Event | None:
    try:
        event = parse_line(line, place)
    except ProgressError as error:
        damaged.append(error.args[0])
        return None
    if to_utc_text(event.timestamp) is None:
        damaged.append(f"{place}: its timestamp is not between the years 1 and 9999")
        return None
    return event
