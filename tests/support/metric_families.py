# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What is exposed to Prometheus, as the parser of prometheus_client reads it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias
from urllib.request import urlopen

from prometheus_client import CollectorRegistry, Metric, generate_latest
from prometheus_client.openmetrics.exposition import generate_latest as open_metrics
from prometheus_client.openmetrics.parser import (
    text_string_to_metric_families as open_metrics_families,
)
from prometheus_client.parser import text_string_to_metric_families

from deltasource import Event, PrometheusEndpoint, prometheus_http

Labels: TypeAlias = frozenset[tuple[str, str]]
Samples: TypeAlias = Mapping[tuple[str, Labels], float]


def endpoint(registry: CollectorRegistry, *events: Event, **given: Any) -> PrometheusEndpoint:
    """Return an event sink without a server that has received these events."""
    made = prometheus_http(registry=registry, **given)
    for event in events:
        made(event)
    return made


def families(text: str) -> Mapping[str, Metric]:
    """Return the families of a text, by name; each must be there once."""
    found = list(text_string_to_metric_families(text))
    assert len({one.name for one in found}) == len(found)
    return {one.name: one for one in found}


def exposed(registry: CollectorRegistry) -> Mapping[str, Metric]:
    """Return the families of a registry."""
    return families(generate_latest(registry).decode())


def units(registry: CollectorRegistry) -> Mapping[str, str]:
    """Return the units of a registry's families, which only the format of OpenMetrics has."""
    text = open_metrics(registry).decode()  # type: ignore[no-untyped-call]
    found = open_metrics_families(text)  # type: ignore[no-untyped-call]
    return {one.name: one.unit for one in found}


def scraped(port: int | None) -> Mapping[str, Metric]:
    """Return the families that a server on this machine exposes."""
    with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as response:
        assert response.status == 200
        return families(response.read().decode())


def samples(found: Mapping[str, Metric], *types: str) -> Samples:
    """Return the numbers of families of these types, by name and labels; each once."""
    known = [
        ((one.name, frozenset(one.labels.items())), one.value)
        for family in found.values()
        if not types or family.type in types
        for one in family.samples
    ]
    assert len(dict(known)) == len(known)
    return dict(known)


def value(found: Mapping[str, Metric], name: str, **labels: str) -> float | None:
    """Return one number, or None."""
    return samples(found).get((name, frozenset(labels.items())))
