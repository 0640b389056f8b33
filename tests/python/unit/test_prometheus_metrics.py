# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Metrics that Prometheus scrapes, read with the parser of prometheus_client."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from deltasource import (
    Event,
    prometheus,
)
from deltasource._monitor.gauges import GAUGES, Gauge
from deltasource._monitor.totals import COUNTERS, HISTOGRAMS, Counter, Histogram
from support.event_samples import (
    APPLYING,
    ENDED,
    FAILED,
    FIRST_RUN,
    IDLE,
    NEXT_RUN,
    STARTED,
    behind,
)
from support.metric_families import endpoint, exposed, families, samples, units, value
from support.progress_samples import WRITTEN, sink

TABLE: Sequence[Gauge | Counter | Histogram] = [*GAUGES, *COUNTERS, *HISTOGRAMS]
HOSTILE = 'a\\b"c\nd{}=,é # HELP '


@pytest.fixture
def registry() -> CollectorRegistry:
    """Return the registry of an application."""
    return CollectorRegistry()


@pytest.mark.parametrize(
    "events",
    [
        FIRST_RUN[:1],
        FIRST_RUN,
        [*FIRST_RUN, IDLE],
        [*FIRST_RUN, FAILED],
        [*FIRST_RUN, ENDED],
        [*FIRST_RUN, *NEXT_RUN],
    ],
)
def test_the_gauges_are_those_of_the_file(
    events: Sequence[Event], registry: CollectorRegistry, tmp_path: Path
) -> None:
    """Names, help, labels and numbers are the same after each event, also after the end."""
    write = prometheus(tmp_path / "a.prom")
    for event in events:
        write(event)
    endpoint(registry, *events)
    file, here = families((tmp_path / "a.prom").read_text()), exposed(registry)
    assert samples(here, "gauge") == samples(file)
    assert {one.documentation for one in here.values() if one.type == "gauge"} == {
        one.documentation for one in file.values()
    }


def test_every_metric_has_its_type_help_and_unit(registry: CollectorRegistry) -> None:
    """The formats of Prometheus and OpenMetrics have all of them; the second has units."""
    endpoint(registry, *FIRST_RUN, APPLYING, FAILED, *NEXT_RUN)
    found = exposed(registry)
    types = {one.name: "counter" for one in COUNTERS} | {
        one.name: "histogram" for one in HISTOGRAMS
    }
    helps = {one.name: one.help for one in TABLE}
    assert {name: one.type for name, one in found.items() if one.type != "gauge"} == types
    assert {name: one.documentation for name, one in found.items()} == {
        name: helps[name] for name in found
    }
    found_units = units(registry)
    assert found_units.keys() == found.keys()
    for name, unit in found_units.items():
        assert unit == next(
            (u for u in ("seconds", "bytes", "ratio") if name.endswith(f"_{u}")), ""
        )


def test_counters_and_histograms_have_what_batches_did(registry: CollectorRegistry) -> None:
    """Rows, batches and durations are summed; a batch that was only waited for is not counted."""
    endpoint(registry, *FIRST_RUN, behind(durationMs={"triggerExecution": 32}, batchId=5))
    found = exposed(registry)
    assert {
        name.removeprefix("deltasource_"): number
        for (name, labels), number in samples(found, "counter").items()
        if labels == {("query", "orders")}
    } == {"batches_total": 2, "rows_read_total": 20, "rows_written_total": 5}
    for name, total in (("processing", 0.7), ("planning", 0.024)):
        of_name = f"deltasource_batch_{name}_seconds"
        assert value(found, f"{of_name}_count", query="orders") == 2
        assert value(found, f"{of_name}_sum", query="orders") == pytest.approx(total)
    bucket = "deltasource_batch_processing_seconds_bucket"
    assert value(found, bucket, query="orders", le="0.25") == 0
    assert value(found, bucket, query="orders", le="0.5") == 2
    assert value(found, bucket, query="orders", le="3600.0") == 2


def test_rows_that_the_table_had_already_are_not_counted(registry: CollectorRegistry) -> None:
    """A batch that the sink skipped was written before the restart."""
    skipped = sink(**{**WRITTEN, "batchSkipped": "true"})
    endpoint(registry, behind(sink=skipped))
    assert value(exposed(registry), "deltasource_rows_written_total", query="orders") is None


def test_applied_changes_are_counted_by_their_kind(registry: CollectorRegistry) -> None:
    """Rows have their kind as a label; a query that does not apply changes has no such series."""
    endpoint(registry, behind(sink=sink(**WRITTEN)))
    rows, ignored = "deltasource_rows_applied_total", "deltasource_events_ignored_total"
    assert value(exposed(registry), ignored, query="orders") is None
    other = CollectorRegistry()
    endpoint(other, APPLYING)
    found = exposed(other)
    for change, number in (("insert", 3), ("update", 2), ("delete", 4)):
        assert value(found, rows, query="orders", change=change) == number
    assert value(found, ignored, query="orders") == 6
    assert value(found, "deltasource_late_after_tombstones_total", query="orders") == 9
    assert value(found, "deltasource_target_files_pruned", query="orders") == 11


def test_counters_only_grow_over_a_restart(registry: CollectorRegistry) -> None:
    """A query that ends keeps them, and its next run adds to them."""
    served = endpoint(registry)
    last: dict[Any, float] = {}
    for event in (*FIRST_RUN, FAILED, *NEXT_RUN, replace(ENDED, run_id="next"), STARTED, behind()):
        served(event)
        found = dict(samples(exposed(registry), "counter", "histogram"))
        assert last.keys() <= found.keys()
        assert all(found[key] >= number for key, number in last.items())
        last = found
    assert value(exposed(registry), "deltasource_batches_total", query="orders") == 4


@pytest.mark.parametrize(
    ("condition", "label"),
    [
        ("DELTA_STREAMING_METADATA_EVOLUTION", "DELTA_STREAMING_METADATA_EVOLUTION"),
        ("FAILED_READ_FILE.FILE_NOT_EXIST", "FAILED_READ_FILE"),
        ("MINE", "other"),
        ("", "other"),
        (None, "other"),
    ],
)
def test_failures_are_counted_by_condition(
    condition: str | None, label: str, registry: CollectorRegistry
) -> None:
    """A condition that is not known is "other", so the number of series is limited."""
    endpoint(registry, STARTED, replace(FAILED, condition=condition))
    found = exposed(registry)
    assert value(found, "deltasource_failures_total", query="orders", condition=label) == 1
    assert len(found["deltasource_failures"].samples) == 1


def test_hostile_names_are_escaped_and_read_back(registry: CollectorRegistry) -> None:
    """Any name of a query is a valid label; a lone surrogate, which cannot be encoded, is not."""
    events = [one for name in (HOSTILE, "a\ud800", "a\udbff", " ") for one in (behind(name=name),)]
    endpoint(registry, *events)
    found = exposed(registry)
    assert {one.labels["query"] for one in found["deltasource_batch_id"].samples} == {
        HOSTILE,
        "a?",
        " ",
    }
    assert value(found, "deltasource_batches_total", query=HOSTILE) == 1
    assert value(found, "deltasource_batches_total", query="a?") == 2


def test_the_number_of_series_is_limited(
    registry: CollectorRegistry, caplog: pytest.LogCaptureFixture
) -> None:
    """A thousand names give no more series than the limit; what is dropped is logged once."""
    served = endpoint(registry, max_queries=10)
    sizes = set[int]()
    for number in range(1000):
        name = f"q{number}"
        for event in (STARTED, behind(), replace(FAILED, condition="MINE"), ENDED):
            event = replace(event, name=name, run_id=name)
            served(event)
        if number % 100 == 99:
            sizes.add(len(samples(exposed(registry))))
    assert len(sizes) == 1
    found = exposed(registry)
    assert len(found["deltasource_query_end_timestamp_seconds"].samples) == 10
    assert value(found, "deltasource_query_state", query="q999", state="ended") == 1
    assert value(found, "deltasource_batches_total", query="other") == 990
    assert caplog.messages == [
        "metrics are kept for 10 queries, and 'q10' is one more: queries that have ended are "
        "dropped, and counters have it as 'other'. Give queries names, or set max_queries"
    ]


def test_a_query_that_runs_or_has_failed_keeps_its_gauges(registry: CollectorRegistry) -> None:
    """Those that have ended give way first, the earliest of them before the others."""
    served = endpoint(registry, max_queries=3)

    def put(event: Event, name: str, minute: int = 0) -> None:
        at = event.timestamp.replace(minute=minute)
        served(replace(event, name=name, run_id=name, timestamp=at))

    def queries() -> set[str]:
        found = exposed(registry)["deltasource_query_state"].samples
        return {one.labels["query"] for one in found}

    put(FAILED, "failed", 1)
    put(ENDED, "late", 3)
    put(ENDED, "early", 2)
    put(STARTED, "a")
    assert queries() == {"failed", "late", "a"}
    put(STARTED, "b")
    put(STARTED, "c")
    put(STARTED, "d")
    assert queries() == {"a", "b", "c"}
    put(ENDED, "b")
    put(behind(), "d")
    assert queries() == {"a", "d", "c"}
