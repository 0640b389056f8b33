# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Metrics through OpenTelemetry, as a reader of its SDK collects them."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import (
    Histogram,
    HistogramDataPoint,
    InMemoryMetricReader,
    Metric,
    Sum,
)
from prometheus_client import CollectorRegistry

from deltasource import (
    Event,
    EventSink,
    MissingLibraryError,
    OptionsError,
    monitor,
    opentelemetry,
    prometheus_http,
)
from deltasource._monitor.gauges import GAUGES, Gauge
from deltasource._monitor.opentelemetry import instrument_name
from deltasource._monitor.totals import COUNTERS, HISTOGRAMS
from deltasource._monitor.totals import Counter as TotalCounter
from deltasource._monitor.totals import Histogram as TotalHistogram
from support.event_samples import APPLYING, ENDED, FAILED, FIRST_RUN, NEXT_RUN, STARTED, behind
from support.fake_streams import Session, Streams, spark_progress
from support.metric_families import Labels, exposed, samples

TABLE: Sequence[Gauge | TotalCounter | TotalHistogram] = [*GAUGES, *COUNTERS, *HISTOGRAMS]
SUFFIXES: Final = {"s": "_seconds", "1": "_ratio", "By": "_bytes"}


class Sdk:
    """The SDK of an application, which collects metrics on demand."""

    def __init__(self) -> None:
        self.reader = InMemoryMetricReader()
        self.provider = MeterProvider([self.reader], shutdown_on_exit=False)

    def sink(self, *events: Event, **given: Any) -> EventSink:
        """Return an event sink that has received these events."""
        made = opentelemetry(self.provider, **given)
        for event in events:
            made(event)
        return made

    @property
    def metrics(self) -> Mapping[str, Metric]:
        """The metrics that have numbers, by name."""
        data = self.reader.get_metrics_data()
        return {
            metric.name: metric
            for resource in (data.resource_metrics if data else ())
            for scope in resource.scope_metrics
            for metric in scope.metrics
            if scope.scope.name == "deltasource" and list(metric.data.data_points)
        }

    def numbers(self, name: str) -> Mapping[Labels, float]:
        """Return the numbers of a metric by attributes: the sum if it is a histogram."""
        points = self.metrics[name].data.data_points if name in self.metrics else ()
        found = [
            (
                frozenset((key, str(value)) for key, value in (one.attributes or {}).items()),
                one.sum if isinstance(one, HistogramDataPoint) else getattr(one, "value"),  # noqa: B009
            )
            for one in points
        ]
        assert len(dict(found)) == len(found)
        return dict(found)


@pytest.fixture
def sdk() -> Sdk:
    """Return an SDK of its own."""
    return Sdk()


@pytest.mark.parametrize(
    "events", [FIRST_RUN[:1], FIRST_RUN, [*FIRST_RUN, ENDED], [*FIRST_RUN, *NEXT_RUN]]
)
def test_numbers_are_those_that_prometheus_scrapes(events: Sequence[Event], sdk: Sdk) -> None:
    """Gauges, counters and sums of histograms have the same values and labels."""
    registry = CollectorRegistry()
    served = prometheus_http(registry=registry)
    sdk.sink(*events)
    for event in events:
        served(event)
    scraped = samples(exposed(registry))
    for name in [one.name for one in GAUGES]:
        expected = {labels: number for (one, labels), number in scraped.items() if one == name}
        assert sdk.numbers(instrument_name(name)) == expected
    for name, tail in [(one.name, "_total") for one in COUNTERS] + [
        (one.name, "_sum") for one in HISTOGRAMS
    ]:
        expected = {
            labels: number for (one, labels), number in scraped.items() if one == name + tail
        }
        assert sdk.numbers(instrument_name(name)) == pytest.approx(expected)


def test_instruments_have_types_units_and_descriptions(sdk: Sdk) -> None:
    """Counters are monotonic, and units are those of the conventions."""
    sdk.sink(*FIRST_RUN, APPLYING, FAILED, *NEXT_RUN)
    found = sdk.metrics
    tables = {instrument_name(one.name): one for one in TABLE}
    for name, metric in found.items():
        assert (metric.unit or "", metric.description) == (tables[name].unit, tables[name].help)
    for counter in COUNTERS:
        data = found[instrument_name(counter.name)].data
        assert isinstance(data, Sum)
        assert data.is_monotonic
    for histogram in HISTOGRAMS:
        data = found[instrument_name(histogram.name)].data
        assert isinstance(data, Histogram)
        assert tuple(data.data_points[0].explicit_bounds) == histogram.buckets
    assert {one.unit for one in tables.values()} == {
        "", "1", "By", "s", "{batch}", "{event}", "{failure}", "{file}", "{row}", "{version}"
    }  # fmt: skip


def test_names_become_those_of_prometheus_again() -> None:
    """An exporter replaces the dot and adds the unit, so that the alerts are the same."""
    for one in TABLE:
        name = instrument_name(one.name)
        assert re.fullmatch(r"deltasource\.[a-z]+(_[a-z]+)*", name)
        suffix = SUFFIXES.get(one.unit, "")
        assert name.replace(".", "_").removesuffix(suffix) + suffix == one.name


def test_counters_only_grow_over_a_restart(sdk: Sdk) -> None:
    """The next run of a query adds to them."""
    made, last = sdk.sink(), 0.0
    for event in (*FIRST_RUN, FAILED, *NEXT_RUN, replace(ENDED, run_id="next"), STARTED, behind()):
        made(event)
        total = sum(sdk.numbers("deltasource.batches").values())
        assert total >= last
        last = total
    assert last == 4


def test_gauges_end_with_the_block(sdk: Sdk) -> None:
    """Nobody watches the queries any more; counters stay in the SDK, and a new sink goes on."""
    for batches in (1, 2):
        streams = Streams()
        with monitor(Session(streams), opentelemetry(sdk.provider)):
            streams.start()
            streams.tell(spark_progress(0))
            streams.end()
        assert not any(name == "deltasource.query_state" for name in sdk.metrics)
        assert sum(sdk.numbers("deltasource.batches").values()) == batches


def test_the_number_of_series_is_limited(sdk: Sdk, caplog: pytest.LogCaptureFixture) -> None:
    """A thousand names give no more than the limit, and one for all others; it is logged once."""
    made = sdk.sink(max_queries=10)
    for number in range(1000):
        for event in (behind(), ENDED):
            made(replace(event, name=f"q{number}", run_id=f"q{number}"))
    assert len(sdk.numbers("deltasource.query_end_timestamp")) == 10
    assert len(sdk.numbers("deltasource.batches")) == 11
    assert len(sdk.numbers("deltasource.batch_processing")) == 11
    assert [record.levelname for record in caplog.records if record.name == "deltasource"] == [
        "WARNING"
    ]


def test_a_name_with_a_lone_surrogate_can_be_exported(sdk: Sdk) -> None:
    """An exporter encodes it."""
    sdk.sink(behind(name="a\ud800b"))
    (labels,) = sdk.numbers("deltasource.batch_id")
    assert dict(labels) == {"query": "a?b"}


def test_the_global_provider_is_the_default() -> None:
    """Without an SDK nothing is exported, and nothing fails."""
    made = opentelemetry()
    for event in FIRST_RUN:
        made(event)


def test_all_wrong_arguments_are_reported_together() -> None:
    """They are refused when the sink is created."""
    with pytest.raises(OptionsError) as error:
        opentelemetry(5, max_queries=True)  # type: ignore[arg-type]
    assert [problem.option for problem in error.value.problems] == ["meter_provider", "max_queries"]


def test_without_the_library_the_error_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The line installs the library of the extra."""
    monkeypatch.setitem(sys.modules, "opentelemetry.metrics", None)
    with pytest.raises(
        MissingLibraryError,
        match=r"pip install 'opentelemetry-api>=1\.30' installs it, as the extra `otel`",
    ):
        opentelemetry()
