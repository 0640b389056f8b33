# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The alerts of monitoring.md tell queries that failed, ended, are stuck or are behind."""

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


@pytest.fixture(scope="module")
def alerts(root: Path) -> Mapping[str, str]:
    """Return the alerts of the page, by name."""
    page = blocks((root / "docs/reference/monitoring.md").read_text(encoding="utf-8"))
    (rules,) = [block.text for block in page if block.language == "yaml"]
    found = re.findall(
        r"^- alert: (\w+)\n  expr: (?:>-\n)?(.+\n(?:    .+\n)*)", rules, re.MULTILINE
    )
    assert len(found) == rules.count("alert:")
    return {name: " ".join(expression.split()) for name, expression in found}


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
    for event in events:
        sink(event)
    gauges = Gauges(text=(tmp_path / "a.prom").read_text(), now=(AT + after).timestamp())
    found = {name: gauges.firing(expression) for name, expression in alerts.items()}
    assert {name for name, queries in found.items() if queries == ["orders"]} == set(firing)
    assert all(found[name] == [] for name in set(alerts) - set(firing))


def test_alerts_use_gauges_that_exist(alerts: Mapping[str, str]) -> None:
    """Each alert parses as PromQL, and names only gauges of ours."""
    used: set[str | None] = set()

    def visit(expression: promql_parser.Expr) -> None:
        if isinstance(expression, promql_parser.VectorSelector):
            used.add(expression.name)

    for expression in alerts.values():
        promql_parser.walk(promql_parser.parse(expression), visit)
    assert used
    assert used <= {gauge.name for gauge in GAUGES}
