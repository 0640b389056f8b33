# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Metrics for OpenTelemetry, through its API."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from deltasource._monitor.event_sinks import CLOSED, EventSink
from deltasource._monitor.events import Event
from deltasource._monitor.gauges import GAUGES, Gauge, labels_of
from deltasource._monitor.query_series import MAX_QUERIES, QuerySeries, max_queries_rule
from deltasource._monitor.totals import COUNTERS, HISTOGRAMS
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._options.validation import validate
from deltasource._session.bundle import package_version
from deltasource._session.extras import missing_library

if TYPE_CHECKING:
    from opentelemetry.metrics import CallbackOptions, Meter, MeterProvider, Observation

PROVIDER_ALLOWED: Final = "must be a MeterProvider of OpenTelemetry, or None for the global one"


def instrument_name(name: str) -> str:
    """Return the name of an instrument, for the name that Prometheus has.

    The unit is not in the name. An exporter to Prometheus adds it, so the names are the same again.
    """
    base = name.removesuffix("_seconds").removesuffix("_ratio")
    return base.replace("deltasource_", "deltasource.", 1)


class OpenTelemetryMetrics:
    """An event sink whose metrics OpenTelemetry exports."""

    def __init__(self, meter: Meter, *, max_queries: int) -> None:
        self._series = QuerySeries(max_queries)
        self._closed = False
        for gauge in GAUGES:
            meter.create_observable_gauge(
                instrument_name(gauge.name),
                callbacks=[self._observing(gauge)],
                unit=gauge.unit,
                description=gauge.help,
            )
        self._counters = [
            meter.create_counter(instrument_name(one.name), one.unit, one.help) for one in COUNTERS
        ]
        self._histograms = [
            meter.create_histogram(
                instrument_name(one.name),
                one.unit,
                one.help,
                explicit_bucket_boundaries_advisory=one.buckets,
            )
            for one in HISTOGRAMS
        ]

    def __call__(self, event: Event) -> None:
        """Apply an event to the metrics; fails after `close`."""
        if self._closed:
            raise ValueError(CLOSED)
        self._series.add(event)
        query = self._series.counted_as(event)
        for counter, total in zip(self._counters, COUNTERS, strict=True):
            for label, amount in total.added(event).items():
                counter.add(amount, labels_of(query, label))
        for histogram, one in zip(self._histograms, HISTOGRAMS, strict=True):
            value = one.added(event)
            if value is not None:
                histogram.record(value, labels_of(query, None))

    def close(self) -> None:
        """End the series of all gauges; `monitor` calls this when its block ends."""
        self._closed = True
        self._series.clear()

    def _observing(self, gauge: Gauge) -> Callable[[CallbackOptions], Iterator[Observation]]:
        from opentelemetry.metrics import Observation

        def observe(_: CallbackOptions) -> Iterator[Observation]:
            for labels, value in gauge.series(self._series.latest):
                yield Observation(value, labels)

        return observe


@with_keyword_hints
def opentelemetry(
    meter_provider: MeterProvider | None = None, *, max_queries: int = MAX_QUERIES
) -> EventSink:
    """Create an event sink that reports the metrics of queries to OpenTelemetry.

    The instruments are those of `prometheus_http`, under OpenTelemetry's names: the gauge
    `deltasource_outstanding_age_seconds` is `deltasource.outstanding_age` with the unit `s`.
    docs/reference/prometheus-and-opentelemetry.md lists them. Where they go, and how often, is up
    to the SDK of the application. Needs opentelemetry-api, which the extra `otel` installs.

    The gauges end with the block of `monitor`. Counters and histograms stay in the SDK.

    Args:
        meter_provider: The provider of the application; None is the global one, which may be set
            later.
        max_queries: How many queries have series of their own, 200 by default, as for
            `prometheus_http`.

    Returns:
        An event sink for `monitor`.

    Raises:
        OptionsError: An argument is invalid.
        MissingLibraryError: opentelemetry-api is not installed.

    Example:
        >>> import deltasource
        >>> with deltasource.monitor(spark, deltasource.opentelemetry()):  # doctest: +SKIP
        ...     query.awaitTermination()
    """
    try:
        from opentelemetry.metrics import MeterProvider, get_meter_provider
    except ImportError as error:
        raise missing_library("opentelemetry-api", extra="otel") from error
    known = meter_provider is None or isinstance(meter_provider, MeterProvider)
    validate(
        ("meter_provider", meter_provider, known, PROVIDER_ALLOWED), max_queries_rule(max_queries)
    )
    provider = get_meter_provider() if meter_provider is None else meter_provider
    meter = provider.get_meter("deltasource", package_version())
    return OpenTelemetryMetrics(meter, max_queries=max_queries)
