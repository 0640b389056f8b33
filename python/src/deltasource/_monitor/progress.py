# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The progress of a query: what Spark reports of one batch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from deltasource import _html as html
from deltasource._format import format_time
from deltasource._lag import Lag, format_lag
from deltasource._monitor import progress_json as fields
from deltasource._monitor.sink_progress import SinkProgress, format_sink, read_sink


@dataclass(frozen=True, kw_only=True)
class SourceProgress:
    """The progress of one source of a query.

    Args:
        description: The source as Spark describes it, such as `DeltaSource[file:/tables/orders]`.
        rows: Rows that the batch has read from the source.
        lag: What the table contains and the query has not read; None if the source does not report
            it, for example because it is not ours.
        snapshot_percent: How much of the initial snapshot has been read, from 0 to 100; None after
            the snapshot.
        planning_ms: How long the source took to plan the batch, in milliseconds; None if unknown.
        closed_by: Why the batch ends where it does: "maxFilesPerTrigger", "maxBytesPerTrigger",
            "schemaChange", "availableNow", "endOfTable", "problem", or what a newer source
            reports; None if unknown.

    Example:
        >>> from deltasource import SourceProgress
        >>> source = SourceProgress(
        ...     description="DeltaSource[file:/tables/orders]", rows=5, lag=None,
        ...     snapshot_percent=None, planning_ms=12, closed_by="endOfTable",
        ... )
        >>> source.rows
        5
    """

    description: str
    rows: int
    lag: Lag | None
    snapshot_percent: float | None
    planning_ms: int | None
    closed_by: str | None


@dataclass(frozen=True, kw_only=True)
class Progress:
    """The progress of one batch of a query, or of a query that waits for data.

    Create it with `Progress.of`.

    Args:
        query_id: The id of the query, the same after a restart with its checkpoint.
        run_id: The id of this run of the query.
        name: The name of the query; None if it has none.
        batch_id: The number of the batch; for a query that waits, of the batch it waits for.
        timestamp: When the batch started, or when the query last looked for data, with a time zone.
        rows: Rows read from all sources.
        duration_ms: How long the batch took, in milliseconds; None if unknown.
        sources: The sources by position, from "0", as in `Batch.sources` of a checkpoint.
        sink: The sink.
        raw: Everything that Spark reports, as plain JSON values. A number that is not finite is
            None, because JSON cannot represent it.

    Example:
        >>> from deltasource import Progress
        >>> Progress.of(query.lastProgress).rows  # doctest: +SKIP
        5
    """

    query_id: str
    run_id: str
    name: str | None
    batch_id: int
    timestamp: datetime
    rows: int
    duration_ms: int | None
    sources: Mapping[str, SourceProgress]
    sink: SinkProgress
    raw: Mapping[str, Any]

    @classmethod
    def of(cls, progress: Mapping[str, Any] | None) -> Progress:
        """Create a Progress from Spark's own.

        docs/reference/prometheus-and-opentelemetry.md lists the names of metrics. A source without
        metrics has no lag.

        Args:
            progress: What `lastProgress`, `recentProgress` or a listener of Spark returns, or its
                JSON as a mapping, with the keys of Spark's `StreamingQueryProgress`. None, which
                `lastProgress` is before the end of the first batch, raises ProgressError.

        Returns:
            The progress.

        Raises:
            ProgressError: The query has reported no progress yet, this is not the progress of a
                query, or a value has the wrong type.

        Example:
            >>> from deltasource import Progress
            >>> progress = Progress.of({
            ...     "id": "a", "runId": "b", "name": "orders", "batchId": 7, "numInputRows": 5,
            ...     "timestamp": "2026-01-31T00:00:00Z", "batchDuration": 120,
            ...     "sources": [], "sink": {"description": "DeltaSink[/tables/copy]"},
            ... })
            >>> print(progress)
            'orders', batch 7: 5 rows in 120 ms
        """
        raw = fields.to_plain_values(progress)
        sources = [_source(index, one) for index, one in enumerate(fields.sources(raw))]
        return cls(
            query_id=fields.string(raw, "id"),
            run_id=fields.string(raw, "runId"),
            name=fields.optional_string(raw, "name"),
            batch_id=fields.integer(raw, "batchId", least=-1),
            timestamp=fields.timestamp(raw, "timestamp"),
            rows=fields.rows(raw, [source.rows for source in sources]),
            duration_ms=fields.duration(raw),
            sources={str(index): source for index, source in enumerate(sources)},
            sink=read_sink(fields.sink(raw)),
            raw=raw,
        )

    @property
    def query(self) -> str:
        """The name of the query, or its id if it has no name."""
        return self.name or self.query_id

    @property
    def executed(self) -> bool:
        """Whether the batch was executed; False for a query that waits for data."""
        return fields.executed(self.raw)

    @property
    def lags(self) -> Mapping[str, Lag]:
        """The lag of each source that reports one, by position."""
        return {key: one.lag for key, one in self.sources.items() if one.lag is not None}

    @property
    def planning_ms(self) -> int | None:
        """How long all sources together took to plan, in milliseconds; None if none reports it."""
        known = [one.planning_ms for one in self.sources.values() if one.planning_ms is not None]
        return sum(known) if known else None

    def __str__(self) -> str:
        """Return the progress as one line."""
        took = "" if self.duration_ms is None else f" in {self.duration_ms} ms"
        batch = f"{self.query!r}, batch {self.batch_id}: {self.rows} rows{took}"
        sources = (_format_source(key, source) for key, source in self.sources.items())
        return "; ".join(filter(None, [batch, *sources, format_sink(self.sink)]))

    def _repr_html_(self) -> str:
        """Return the progress as a table, for notebooks."""
        took = None if self.duration_ms is None else f"{self.duration_ms:,} ms"
        rows: list[tuple[str, html.Cell]] = [
            ("batch", str(self.batch_id)),
            ("started", format_time(self.timestamp)),
            ("rows", self.rows),
            ("took", took),
        ]
        for key, one in self.sources.items():
            text = _format_source(key, one).partition(": ")[2]
            rows.append((f"source {key}", f"{one.rows:,} rows" + (text and f", {text}")))
        rows.append(("sink", format_sink(self.sink).removeprefix("sink: ") or None))
        return html.page(html.heading(self.query), html.facts(rows))


def _source(index: int, raw: Mapping[str, Any]) -> SourceProgress:
    metrics = fields.Metrics(f"sources[{index}]", raw.get("metrics"))
    return SourceProgress(
        description=fields.string(raw, "description"),
        rows=fields.integer(raw, "numInputRows"),
        lag=metrics.lag(),
        snapshot_percent=metrics.decimal("initialSnapshotPercent"),
        planning_ms=metrics.integer("planningTimeMs"),
        closed_by=metrics.string("batchClosedBy"),
    )


def _format_source(key: str, source: SourceProgress) -> str:
    percent = source.snapshot_percent
    known = (
        format_lag(source.lag),
        None if percent is None else f"{percent:.1f} % of the snapshot",
        None if source.planning_ms is None else f"planned in {source.planning_ms} ms",
        None if source.closed_by is None else f"closed by {source.closed_by!r}",
    )
    text = ", ".join(one for one in known if one)
    return text and f"source {key}: {text}"
