# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Spark's progress of a batch, parsed or refused with one of our errors."""

from __future__ import annotations

import json
import math
import pickle
from contextlib import suppress
from datetime import datetime, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import Row
from pyspark.sql.streaming.listener import StreamingQueryProgress

from deltasource import Lag, Progress, ProgressError, SinkProgress, SourceProgress
from support.progress_samples import BEHIND, QUERY, RUN, TABLE, WRITTEN, progress, sink, source

LAG = Lag(versions=4, files=7, bytes=99_200_005, seconds=5400.25)


def test_every_number_is_read() -> None:
    """The metrics of Spark and the source are typed, and the original progress is kept."""
    given_here = progress(source(**BEHIND))
    read = Progress.of(given_here)
    assert read == Progress(
        query_id=QUERY,
        run_id=RUN,
        name="orders",
        batch_id=3,
        timestamp=datetime(2026, 11, 21, 17, 2, 36, 330_000, timezone.utc),
        rows=5,
        duration_ms=350,
        sources={
            "0": SourceProgress(
                description=TABLE,
                rows=5,
                lag=LAG,
                snapshot_percent=None,
                planning_ms=12,
                closed_by="maxFilesPerTrigger",
            )
        },
        sink=SinkProgress(
            description="sink",
            skipped=None,
            version=None,
            rows=None,
            bytes=None,
            files=None,
            files_removed=None,
        ),
        raw=given_here,
    )
    assert (read.query, read.lags, read.planning_ms) == ("orders", {"0": LAG}, 12)


def test_the_metrics_of_a_sink_are_read() -> None:
    """Our sink reports what it wrote, or that it skipped the batch."""
    written = Progress.of(progress(sink=sink(**WRITTEN))).sink
    assert (written.skipped, written.version, written.rows) == (False, 12, 5)
    assert (written.bytes, written.files, written.files_removed) == (1497, 2, 1)
    skipped = Progress.of(progress(sink=sink(batchSkipped="true"))).sink
    assert (skipped.skipped, skipped.version, skipped.rows) == (True, None, None)


@pytest.mark.parametrize(
    "wrong",
    [None, [], sink(batchSkipped="yes"), sink(version="-1"), sink(numOutputRows=5)],
)
def test_invalid_metrics_of_a_sink_are_refused(wrong: object) -> None:
    """The error names the invalid metric."""
    with pytest.raises(ProgressError, match=r"\] sink"):
        Progress.of(progress(sink=wrong))


def test_another_source_has_no_lag() -> None:
    """Sources without these metrics, or with other ones, are no error."""
    foreign = source(5, "RateStreamV2", avgOffsetsBehindLatest="3.0")
    read = Progress.of(progress(foreign, source(**BEHIND), {**source(), "metrics": None}))
    assert read.lags == {"1": LAG}
    assert (read.sources["0"].lag, read.sources["0"].planning_ms) == (None, None)
    assert Progress.of(progress(foreign)).planning_ms is None


@pytest.mark.parametrize(
    ("name", "lag"),
    [
        ("numVersionsOutstanding", Lag(versions=7, files=None, bytes=None, seconds=None)),
        ("numFilesOutstanding", Lag(versions=None, files=7, bytes=None, seconds=None)),
        ("numBytesOutstanding", Lag(versions=None, files=None, bytes=7, seconds=None)),
        ("secondsOutstanding", Lag(versions=None, files=None, bytes=None, seconds=7.0)),
    ],
)
def test_missing_metrics_are_none(name: str, lag: Lag) -> None:
    """A missing number is None, never 0."""
    assert Progress.of(progress(source(**{name: "7"}))).lags == {"0": lag}


def test_snapshot_and_planning_are_reported_by_source() -> None:
    """Each source has its snapshot's progress, and the planning times are added up."""
    one = source(initialSnapshotPercent="37.5", planningTimeMs="2", batchClosedBy="new reason")
    read = Progress.of(progress(one, source(planningTimeMs="3")))
    assert [one.snapshot_percent for one in read.sources.values()] == [37.5, None]
    assert [one.closed_by for one in read.sources.values()] == ["new reason", None]
    assert read.planning_ms == 5


@pytest.mark.parametrize(("text", "seconds"), [("0", 0.0), ("1.0E-4", 0.0001), ("12.50", 12.5)])
def test_decimals_are_read_in_scalas_format(text: str, seconds: float) -> None:
    """Decimals may have a fraction and an exponent."""
    (lag,) = Progress.of(progress(source(secondsOutstanding=text))).lags.values()
    assert lag.seconds == seconds


def test_an_unnamed_query_is_named_by_its_id() -> None:
    """The id of a query without a name serves as its name."""
    assert Progress.of(progress(name=None)).query == QUERY


def test_sparks_own_class_is_converted() -> None:
    """Ids become strings, rows become mappings, and numbers that JSON lacks become None."""
    observed = {"mine": Row(total=5, when=datetime(2026, 1, 1))}
    spark = StreamingQueryProgress.fromJson(progress(source(**BEHIND)))
    spark["observedMetrics"] = observed
    spark["inputRowsPerSecond"] = math.inf
    read = Progress.of(spark)
    assert (read.query_id, read.run_id, read.lags) == (QUERY, RUN, {"0": LAG})
    assert read.raw["observedMetrics"] == {"mine": {"total": 5, "when": "2026-01-01 00:00:00"}}
    assert read.raw["inputRowsPerSecond"] is None
    assert Progress.of(json.loads(json.dumps(read.raw, allow_nan=False))) == read
    assert pickle.loads(pickle.dumps(read)) == read


def test_missing_row_counts_are_added_up_from_the_sources() -> None:
    """An older server has no total row count, but counts by source."""
    assert Progress.of(progress(source(2), source(3), numInputRows=None)).rows == 5


def test_a_progress_prints_as_one_line() -> None:
    """The line has the query's name, the batch, what was read, what is left, what was written."""
    snapshot = source(**BEHIND, initialSnapshotPercent="41.6")
    assert str(Progress.of(progress(snapshot, source(), sink=sink(**WRITTEN)))) == (
        "'orders', batch 3: 10 rows in 350 ms; "
        "source 0: 4 versions, 7 files, 99200005 bytes, 5400.2 seconds behind, "
        "41.6 % of the snapshot, planned in 12 ms, closed by 'maxFilesPerTrigger'; "
        "sink: version 12, 5 rows"
    )
    again = progress(source(), sink=sink(batchSkipped="true"))
    assert str(Progress.of(again)).endswith("; sink: the table contained the batch already")
    bare = progress(source(numVersionsOutstanding="0"), batchDuration=None)
    assert str(Progress.of(bare)) == "'orders', batch 3: 5 rows; source 0: 0 versions behind"


@given(st.text(), st.text())
def test_a_line_stays_a_line(name: str, reason: str) -> None:
    """Names of queries and sources cannot add lines to a log."""
    line = str(Progress.of(progress(source(**BEHIND | {"batchClosedBy": reason}), name=name)))
    assert line.splitlines() == [line]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", 5),
        ("runId", None),
        ("name", ["orders"]),
        ("timestamp", "soon"),
        ("timestamp", "2026-11-21T17:02:36"),
        ("batchId", True),
        ("batchId", -2),
        ("batchId", "3"),
        ("batchDuration", 2**63),
        ("numInputRows", -1),
        ("sources", None),
        ("sources", ["x"]),
        ("sources", {"0": {}}),
    ],
)
def test_an_invalid_field_is_named(field: str, value: object) -> None:
    """The error has the field, its value and the expected type."""
    with pytest.raises(ProgressError, match=rf"{field} in .* must be a") as error:
        Progress.of({**progress(), field: value})
    assert error.value.condition == "DELTASOURCE_MALFORMED_PROGRESS"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("numFilesOutstanding", "-1"),
        ("numFilesOutstanding", "9223372036854775808"),
        ("numBytesOutstanding", "1.5"),
        ("numVersionsOutstanding", ""),
        ("secondsOutstanding", "NaN"),
        ("secondsOutstanding", "1E999"),
        ("initialSnapshotPercent", "half"),
        ("planningTimeMs", 12),
        ("batchClosedBy", 5),
    ],
)
def test_an_invalid_metric_is_named(name: str, value: Any) -> None:
    """A metric of ours that cannot be parsed is not treated as unknown."""
    with pytest.raises(ProgressError, match=rf"sources\[1\]\.metrics\.{name} in .* must be "):
        Progress.of(progress(source(), source(**{name: value})))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(JSON, st.sampled_from(sorted(progress())), st.sampled_from(sorted(source())))
def test_anything_is_a_progress_or_the_error_of_one(value: Any, field: str, inner: str) -> None:
    """Any JSON, as the whole or in any field, is parsed or raises the one error."""
    metrics = dict.fromkeys(BEHIND, value)
    hostile = (
        value,
        {**progress(), field: value},
        {**progress(), "sources": [{**source(), inner: value}]},
        {**progress(), "sources": [{**source(), "metrics": metrics}]},
    )
    for tried in hostile:
        with suppress(ProgressError):
            read = Progress.of(tried)
            assert Progress.of(json.loads(json.dumps(read.raw, allow_nan=False))) == read


@pytest.mark.parametrize("given_here", [None, 5, "{}", [progress()]])
def test_a_value_that_is_no_mapping_is_refused(given_here: Any) -> None:
    """A string is not JSON here, a list not one progress; before a batch, there is none (None)."""
    mapping = "the progress must be a mapping"
    reason = "the query has reported no progress yet" if given_here is None else mapping
    with pytest.raises(ProgressError, match=reason):
        Progress.of(given_here)


def test_a_deeply_nested_progress_is_refused() -> None:
    """A progress nested too deeply raises the same error as any other."""
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    with pytest.raises(ProgressError, match="nested too deeply"):
        Progress.of(progress(eventTime=deep))
