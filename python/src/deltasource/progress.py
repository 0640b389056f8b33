# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What Spark says of one batch of a query, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from deltasource._progress import fields
from deltasource.lag import Lag


@dataclass(frozen=True, kw_only=True)
class SourceProgress:
    """What one source of a query did for a batch, and what it left.

    description       the source in Spark's words, such as "DeltaSource[file:/tables/orders]"
    rows              rows that the batch has read from it
    lag               what its table holds and the query has not read; None where it does not say,
                      as sources of others do
    snapshot_percent  how much of the initial snapshot has been read, from 0 to 100; None when that
                      is over
    planning_ms       how long the source took to plan the batch, in milliseconds; None where it
                      does not say
    closed_by         why the batch ends where it does: "maxFilesPerTrigger", "maxBytesPerTrigger",
                      "schemaChange", "availableNow", "endOfTable", "problem", or
                      what a newer source says; None where it does not say
    """

    description: str
    rows: int
    lag: Lag | None
    snapshot_percent: float | None
    planning_ms: int | None
    closed_by: str | None


@dataclass(frozen=True, kw_only=True)
class SinkProgress:
    """What the sink of a query did with a batch. All numbers are None where it does not say.

    description    the sink in Spark's words, such as "DeltaSink[/tables/copy]"
    skipped        whether the table had the batch already, from before a restart
    version        the version of the table that the batch has made
    rows           rows in the files that were added; None also where these have no statistics
    bytes          the size of these files
    files          how many were added
    files_removed  how many were taken away, as happens in complete mode
    """

    description: str
    skipped: bool | None
    version: int | None
    rows: int | None
    bytes: int | None
    files: int | None
    files_removed: int | None


@dataclass(frozen=True, kw_only=True)
class Progress:
    """What Spark says of one batch of a query, or of a query that waits for data.

    query_id     the query, the same after a restart with its checkpoint
    run_id       this run of it, from start to end
    name         what the query was named; None if it was not
    batch_id     the number of the batch; of a query that waits, that of the batch it waits for
    at           when the batch began, or when the query looked for one in vain, with its zone
    rows         rows that were read from all sources
    duration_ms  how long it took, in milliseconds; None where Spark does not say
    sources      each source by its position, from "0": the keys of `Batch.sources` in a checkpoint
    sink         where the rows went
    raw          all that Spark says, as mappings, lists, texts and numbers that JSON can hold; a
                 number without end, of which JSON knows none, is None

    `Progress.of` makes one.
    """

    query_id: str
    run_id: str
    name: str | None
    batch_id: int
    at: datetime
    rows: int
    duration_ms: int | None
    sources: Mapping[str, SourceProgress]
    sink: SinkProgress
    raw: Mapping[str, Any]

    @classmethod
    def of(cls, progress: Mapping[str, Any]) -> Progress:
        """Read what `lastProgress`, `recentProgress` or a listener of Spark gives, or its JSON.

        The keys are those of Spark's `StreamingQueryProgress`; what a source says of itself is in
        its `metrics`, by the names that docs/monitoring.md lists, and so is what a sink says. Of
        sources that say nothing there is no lag, and that is no mistake.

        Raises ProgressError where something else was given, or a value is not what belongs there.
        """
        raw = fields.plain(progress)
        sources = [_source(at, source) for at, source in enumerate(fields.sources(raw))]
        return cls(
            query_id=fields.text(raw, "id"),
            run_id=fields.text(raw, "runId"),
            name=None if raw.get("name") is None else fields.text(raw, "name"),
            batch_id=fields.whole(raw, "batchId", least=-1),
            at=fields.instant(raw, "timestamp"),
            rows=fields.rows(raw, [source.rows for source in sources]),
            duration_ms=fields.duration(raw),
            sources={str(at): source for at, source in enumerate(sources)},
            sink=_sink(fields.sink(raw)),
            raw=raw,
        )

    @property
    def query(self) -> str:
        """What to call the query: its name, or its id if it has none."""
        return self.name or self.query_id

    @property
    def lags(self) -> Mapping[str, Lag]:
        """The lag of each source that says one, by its position."""
        return {at: one.lag for at, one in self.sources.items() if one.lag is not None}

    @property
    def planning_ms(self) -> int | None:
        """How long all sources together took to plan, in milliseconds; None where none says it."""
        said = [one.planning_ms for one in self.sources.values() if one.planning_ms is not None]
        return sum(said) if said else None

    def __str__(self) -> str:
        """Say it in one line."""
        took = "" if self.duration_ms is None else f" in {self.duration_ms} ms"
        batch = f"{self.query!r}, batch {self.batch_id}: {self.rows} rows{took}"
        behind = (_said(at, lag, self.sources[at].closed_by) for at, lag in self.lags.items())
        return "; ".join([batch, *behind])


def _source(at: int, raw: Mapping[str, Any]) -> SourceProgress:
    metrics = fields.Metrics(f"sources[{at}]", raw.get("metrics"))
    return SourceProgress(
        description=fields.text(raw, "description"),
        rows=fields.whole(raw, "numInputRows"),
        lag=_lag(metrics),
        snapshot_percent=metrics.decimal("initialSnapshotPercent"),
        planning_ms=metrics.whole("planningTimeMs"),
        closed_by=metrics.text("batchClosedBy"),
    )


def _sink(raw: Mapping[str, Any]) -> SinkProgress:
    metrics = fields.Metrics("sink", raw.get("metrics"))
    return SinkProgress(
        description=fields.text(raw, "description"),
        skipped=metrics.flag("batchSkipped"),
        version=metrics.whole("version"),
        rows=metrics.whole("numOutputRows"),
        bytes=metrics.whole("numOutputBytes"),
        files=metrics.whole("numAddedFiles"),
        files_removed=metrics.whole("numRemovedFiles"),
    )


def _lag(metrics: fields.Metrics) -> Lag | None:
    lag = Lag(
        versions=metrics.whole("numVersionsOutstanding"),
        files=metrics.whole("numFilesOutstanding"),
        bytes=metrics.whole("numBytesOutstanding"),
        seconds=metrics.decimal("secondsOutstanding"),
    )
    nothing_said = lag == Lag(versions=None, files=None, bytes=None, seconds=None)
    return None if nothing_said else lag


def _said(at: str, lag: Lag, closed_by: str | None) -> str:
    seconds = None if lag.seconds is None else round(lag.seconds, 1)
    numbers = {"versions": lag.versions, "files": lag.files, "bytes": lag.bytes, "seconds": seconds}
    known = [f"{number} {unit}" for unit, number in numbers.items() if number is not None]
    closed = "" if closed_by is None else f", closed by {closed_by!r}"
    return f"source {at}: {', '.join(known)} behind{closed}"
