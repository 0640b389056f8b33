# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The state and the latest progress of a query, for metrics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Literal, TypeAlias, get_args

from deltasource._monitor.events import Event, QueryEnded, QueryFailed, QueryIdle, QueryStarted
from deltasource._monitor.progress import Progress

State: TypeAlias = Literal["running", "idle", "failed", "ended"]

STATES: Final[tuple[State, ...]] = get_args(State)


@dataclass(frozen=True, kw_only=True)
class QueryMetrics:
    """The latest run of a query.

    `looked` is when it last looked for data; `started` is None after the end, and `progress` is
    None then and before the first batch.
    """

    run_id: str
    state: State = "running"
    started: datetime | None = None
    looked: datetime | None = None
    ended: datetime | None = None
    progress: Progress | None = None
    snapshots: frozenset[str] = frozenset()
    """The sources, by position, that this run has seen reading the initial snapshot."""

    @classmethod
    def after(cls, metrics: QueryMetrics | None, event: Event) -> QueryMetrics:
        """Return the metrics after an event; None is a query that had none."""
        if isinstance(event, QueryStarted):
            return cls(run_id=event.run_id, started=event.timestamp)
        # Spark reports the start of a run at once, and sometimes before the end of the last run.
        if metrics is not None and metrics.run_id != event.run_id:
            return metrics
        return (metrics or cls(run_id=event.run_id))._with(event)

    @property
    def snapshot_percents(self) -> Mapping[str, float | None]:
        """How much of the snapshot each source has read: 100 after it, until the run ends.

        None for a source whose snapshot this run has not seen, such as one that is read already.
        """
        sources = {} if self.progress is None else self.progress.sources
        after = dict.fromkeys(self.snapshots, 100.0)
        percents = {key: one.snapshot_percent for key, one in sources.items()}
        return {key: after.get(key) if one is None else one for key, one in percents.items()}

    @property
    def states(self) -> Mapping[State, int]:
        """1 for the state of the query, 0 for the others."""
        return {state: int(state == self.state) for state in STATES}

    def _with(self, event: Progress | QueryIdle | QueryFailed | QueryEnded) -> QueryMetrics:
        at = event.timestamp
        match event:
            case Progress():
                state: State = "running" if event.executed else "idle"
                sources = event.sources.items()
                reading = {key for key, one in sources if one.snapshot_percent is not None}
                snapshots = self.snapshots | reading
                return replace(self, state=state, looked=at, progress=event, snapshots=snapshots)
            case QueryIdle():
                return replace(self, state="idle", looked=at)
            case QueryFailed():
                state = "failed"
            case QueryEnded():
                state = "ended"
        return QueryMetrics(run_id=self.run_id, state=state, looked=self.looked, ended=at)
