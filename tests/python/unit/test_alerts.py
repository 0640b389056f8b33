# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The alerts tell queries that failed, restart often, ended, are stuck or are behind.

They stand on two pages: prometheus-and-opentelemetry.md, and the how-to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

import promql_parser
import pytest

from deltasource import Event, Progress, prometheus
from deltasource._monitor.gauges import GAUGES
from support.event_samples import ENDED, FAILED, IDLE, STARTED
from support.pages import blocks
from support.progress_samples import BEHIND, progress, source
from support.promql import Gauges

AT = datetime(2026, 11, 21, 17, 2, tzinfo=timezone.utc)
SOON, LATER = timedelta(minutes=2), timedelta(hours=5)

EXECUTED = Progress.of(progress(timestamp="2026-11-21T17:02:36Z"))
LATE = Progress.of(progress(source(**BEHIND), timestamp="2026-11-21T17:02:36Z"))
WAITING = replace(IDLE, timestamp=AT + LATER)
RESTARTED = replace(STARTED, run_id="next", timestamp=AT + LATER)


def crash_loop(starts: int) -> Sequence[Event]:
    """Return the events of a query that fails after each start but the last."""
    begun = [
        replace(STARTED, run_id=f"run {number}", timestamp=AT + timedelta(minutes=5 * number))
        for number in range(starts)
    ]
    failed = [replace(FAILED, run_id=one.run_id, timestamp=one.timestamp) for one in begun]
    return [event for pair in zip(begun, failed, strict=True) for event in pair][:-1]


DRIVER_IS_DOWN = "DriverIsDown"
"""The alert about Prometheus' own metric `up`, which no file of ours has."""


def rules(root: Path, name: str) -> str:
    """Return the alerts of a page, without comments."""
    page = blocks((root / "docs" / name).read_text(encoding="utf-8"))
    (found,) = [block.text for block in page if block.language == "yaml"]
    return re.sub(r" +#.*", "", found)


def expressions(text: str) -> Mapping[str, str]:
    """Return the expressions of alerts, by name."""
    found = re.findall(r"^- alert: (\w+)\n  expr: (?:>-\n)?(.+\n(?:    .+\n)*)", text, re.MULTILINE)
    assert len(found) == text.count("alert:")
    return {name: " ".join(expression.split()) for name, expression in found}


@pytest.fixture(scope="module")
def alerts(root: Path) -> Mapping[str, str]:
    """Return the alerts about gauges of ours, by name."""
    found = expressions(rules(root, "reference/prometheus-and-opentelemetry.md"))
    return {name: text for name, text in found.items() if name != DRIVER_IS_DOWN}


def test_both_pages_have_the_same_alerts(root: Path) -> None:
    """The how-to page repeats the rules of the reference."""
    assert rules(root, "how-to/alert-on-lag.md") == rules(
        root, "reference/prometheus-and-opentelemetry.md"
    )


def test_the_alert_about_the_driver_uses_only_prometheus_own_metric(root: Path) -> None:
    """It parses as PromQL, and names `up` and nothing of ours."""
    expression = expressions(rules(root, "reference/prometheus-and-opentelemetry.md"))[
        DRIVER_IS_DOWN
    ]
    assert selected(expression) == {"up"}


@pytest.mark.parametrize(
    ("events", "after", "firing"),
    [
        ([STARTED], SOON, []),
        ([STARTED, EXECUTED], SOON, []),
        ([STARTED, EXECUTED, ENDED], SOON, []),
        ([STARTED, EXECUTED, ENDED], LATER, []),
        ([STARTED, LATE, ENDED], LATER, []),
        ([STARTED, LATE], SOON, ["StreamIsBehind"]),
        ([STARTED, FAILED], SOON, ["StreamHasFailed"]),
        ([STARTED, LATE, FAILED], LATER, ["StreamHasFailed"]),
        ([STARTED, LATE, FAILED, RESTARTED], LATER, []),
        (crash_loop(6), timedelta(minutes=26), []),
        (crash_loop(7), timedelta(minutes=31), ["StreamRestartsOften"]),
        ([STARTED], LATER, ["StreamIsStuck"]),
        ([STARTED, EXECUTED], LATER, ["StreamIsStuck"]),
        ([STARTED, EXECUTED, IDLE], LATER, ["StreamIsStuck"]),
        ([STARTED, EXECUTED, WAITING], LATER, []),
        ([STARTED, LATE], LATER, ["StreamIsBehind", "StreamIsStuck"]),
    ],
)
def test_an_alert_fires_only_for_its_reason(
    events: Sequence[Event],
    after: timedelta,
    firing: list[str],
    alerts: Mapping[str, str],
    tmp_path: Path,
) -> None:
    """A query that has ended, such as an AvailableNow run, fires nothing."""
    sink = prometheus(tmp_path / "a.prom")
    scrapes = []
    for event in events:
        sink(event)
        scrapes.append((tmp_path / "a.prom").read_text())
    now = (AT + after).timestamp()
    gauges = Gauges(text=scrapes[-1], now=now, earlier=scrapes[:-1])
    found = {name: gauges.firing(expression) for name, expression in alerts.items()}
    assert {name for name, queries in found.items() if queries == ["orders"]} == set(firing)
    assert all(found[name] == [] for name in set(alerts) - set(firing))


def test_alerts_use_gauges_that_exist(alerts: Mapping[str, str]) -> None:
    """Each alert parses as PromQL, and names only gauges of ours."""
    used = {name for expression in alerts.values() for name in selected(expression)}
    assert used
    assert used <= {gauge.name for gauge in GAUGES}


def selected(expression: str) -> set[str | None]:
    """Return the names of the metrics that an expression reads."""
    found: set[str | None] = set()

    def visit(part: promql_parser.Expr) -> None:
        if isinstance(part, promql_parser.VectorSelector):
            found.add(part.name)

    promql_parser.walk(promql_parser.parse(expression), visit)
    return found
