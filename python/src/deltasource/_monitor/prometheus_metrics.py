# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The metrics of queries in a registry of prometheus_client."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, cast

from deltasource._errors import OptionsError
from deltasource._invalid_option import InvalidOption
from deltasource._monitor.events import Event
from deltasource._monitor.gauges import GAUGES, labels_of
from deltasource._monitor.query_series import QuerySeries
from deltasource._monitor.totals import COUNTERS, HISTOGRAMS
from deltasource._text import short_repr

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry, Metric
    from prometheus_client.registry import Collector

REGISTERED: Final = "must be a registry without metrics of deltasource: use one sink for each"
_UNITS: Final = {"s": "seconds", "By": "bytes", "1": "ratio"}


class PrometheusMetrics:
    """A collector of prometheus_client; it is registered until `unregister`."""

    def __init__(self, registry: CollectorRegistry, max_queries: int) -> None:
        from prometheus_client import Counter, Histogram

        self._registry = registry
        self._series = QuerySeries(max_queries)
        # Without a registry: this collects them together with the gauges.
        self._counters = [
            Counter(
                one.name,
                one.help,
                ["query"] if one.label is None else ["query", one.label],
                registry=None,
            )
            for one in COUNTERS
        ]
        self._histograms = [
            Histogram(
                one.name,
                one.help,
                ["query"],
                unit=_UNITS[one.unit],
                buckets=one.buckets,
                registry=None,
            )
            for one in HISTOGRAMS
        ]

    @classmethod
    def registered(cls, registry: CollectorRegistry, max_queries: int) -> PrometheusMetrics:
        """Create the metrics and register them; OptionsError if there are such metrics already."""
        metrics = cls(registry, max_queries)
        try:
            registry.register(cast("Collector", metrics))
        except ValueError as error:
            invalid = InvalidOption("registry", short_repr(registry), REGISTERED)
            raise OptionsError([invalid]) from error
        return metrics

    def unregister(self) -> None:
        """Remove the metrics from the registry."""
        self._registry.unregister(cast("Collector", self))

    def add(self, event: Event) -> None:
        """Apply an event."""
        self._series.add(event)
        query = self._series.counted_as(event)
        for counter, total in zip(self._counters, COUNTERS, strict=True):
            for label, amount in total.added(event).items():
                counter.labels(**labels_of(query, label)).inc(amount)
        for histogram, one in zip(self._histograms, HISTOGRAMS, strict=True):
            value = one.added(event)
            if value is not None:
                histogram.labels(query=query).observe(value)

    def describe(self) -> Iterator[Metric]:
        """Return all metrics without numbers, by which the registry finds duplicates."""
        yield from self._gauges(with_samples=False)
        yield from self._totals()

    def collect(self) -> Iterator[Metric]:
        """Return the metrics that have numbers."""
        yield from (one for one in self._gauges(with_samples=True) if one.samples)
        yield from (one for one in self._totals() if one.samples)

    def _gauges(self, *, with_samples: bool) -> Iterator[Metric]:
        from prometheus_client.core import GaugeMetricFamily

        latest = self._series.latest if with_samples else {}
        for gauge in GAUGES:
            family = GaugeMetricFamily(gauge.name, gauge.help, unit=_UNITS.get(gauge.unit, ""))
            for labels, value in gauge.series(latest):
                family.add_sample(gauge.name, dict(labels), value)
            yield family

    def _totals(self) -> Iterator[Metric]:
        collectors: list[Collector] = [*self._counters, *self._histograms]
        for collector in collectors:
            for family in collector.collect():
                # When a series was created: one more series for each, which nothing uses.
                family.samples = [
                    one for one in family.samples if not one.name.endswith("_created")
                ]
                yield family
