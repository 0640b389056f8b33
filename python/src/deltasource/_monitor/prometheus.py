# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Prometheus' text exposition format, version 0.0.4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from deltasource._monitor.gauges import GAUGES, Gauge
from deltasource._monitor.query_metrics import QueryMetrics


def format_text(latest: Mapping[str, QueryMetrics]) -> str:
    """Format the metrics of each query, by name or id."""
    return "".join(line for gauge in GAUGES for line in _family(gauge, latest))


def format_label(value: str) -> str:
    r"""Format the value of a label: \ becomes \\, " becomes \", and a new line \n."""
    escaped = value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
    return f'"{escaped}"'


def _family(gauge: Gauge, latest: Mapping[str, QueryMetrics]) -> Iterator[str]:
    known = [f"{gauge.name}{{{_format(one)}}} {value}\n" for one, value in gauge.series(latest)]
    if known:
        yield f"# HELP {gauge.name} {gauge.help}\n# TYPE {gauge.name} gauge\n"
        yield from known


def _format(labels: Mapping[str, str]) -> str:
    return ",".join(f"{name}={format_label(value)}" for name, value in labels.items())
