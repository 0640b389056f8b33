# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The tables of README and docs agree with the code."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from deltasource import Progress, SourceProgress
from deltasource._monitor.gauges import GAUGES
from deltasource._monitor.totals import COUNTERS, HISTOGRAMS
from support.progress_samples import APPLIED, BEHIND, WRITTEN, progress, sink, source

Row = Mapping[str, str]

APPLY_METRICS: Final = (
    "jvm/src/main/scala/org/apache/spark/sql/delta/stream/applychanges/Application.scala"
)
SINK_METRICS: Final = "jvm/src/main/scala/org/apache/spark/sql/delta/stream/sink/SinkState.scala"
METRICS: Final = "jvm/src/main/scala/org/apache/spark/sql/delta/stream/source/Progress.scala"


def tables(path: Path) -> list[list[Row]]:
    """Return the tables of a page, each row as a mapping from column names to cells."""
    text = path.read_text(encoding="utf-8")
    found = (
        block.splitlines() for block in re.findall(r"^\|.*\n\| ---.*\n(?:\|.*\n)+", text, re.M)
    )
    return [[dict(zip(cells(t[0]), cells(r), strict=True)) for r in t[2:]] for t in found]


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def table(path: Path, *columns: str) -> list[Row]:
    """Return the only table of a page that starts with these columns."""
    (found,) = [t for t in tables(path) if tuple(t[0])[: len(columns)] == columns]
    return found


def code(cell: str) -> list[str]:
    """Return the code in a cell."""
    return re.findall(r"`([^`]+)`", cell)


def test_supported_versions_are_those_of_the_build(root: Path) -> None:
    """README's versions of Spark, Scala, Delta and Python are those of the build."""
    versions = (root / "project/Versions.scala").read_text(encoding="utf-8")
    delta = re.findall(r'val delta = "(.+)"', versions)
    lines = re.findall(
        r'SparkLine\(name = "(.+)", spark = "(.+)", scala = "(\d+\.\d+).*"', versions
    )
    project = (root / "python/pyproject.toml").read_text(encoding="utf-8")
    python = re.findall(r'^requires-python = ">=(.+)"$', project, re.MULTILINE)
    rows = table(root / "README.md", "Spark", "Scala")
    shown = [(row["Spark"], row["Scala"], row["Delta inside"], row["Python"]) for row in rows]
    assert shown == [
        (f"{name} (built with {spark})", scala, delta[0], f"{python[0]} or newer")
        for name, spark, scala in lines
    ]


def test_the_readme_installs_this_version(root: Path) -> None:
    """README installs the wheel that the build makes."""
    version = (root / "VERSION").read_text(encoding="utf-8").strip()
    readme = (root / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"deltasource-(\S+?)-py3", readme)) == {version}


def test_the_readme_is_short(root: Path) -> None:
    """README says what the package is, and links to the pages that explain it."""
    assert len((root / "README.md").read_text(encoding="utf-8").splitlines()) < 120


def test_gauges_and_metrics_are_listed(root: Path) -> None:
    """Every gauge and every metric is in its table, and Python reads these metrics."""
    rows = table(root / "docs/reference/prometheus-and-opentelemetry.md", "in Python", "metric")
    assert [name for row in rows for name in code(row["gauge"])] == [one.name for one in GAUGES]
    for row in rows:
        for metric in code(row["metric"]):
            (python,) = code(row["in Python"])
            text, value = ("true", 1) if metric == "batchSkipped" else ("7", 7)
            given = {metric: text}
            read = Progress.of(progress(source(**given), sink=sink(**given)))
            assert float(eval(python, {"sources": read.sources, "sink": read.sink})) == value
    known = {name for row in rows for name in code(row["metric"])}
    assert known == {*BEHIND, "initialSnapshotPercent", *WRITTEN, *APPLIED}


def test_counters_and_histograms_are_listed(root: Path) -> None:
    """Every counter and every histogram is in its table, in the order of the code."""
    rows = table(root / "docs/reference/prometheus-and-opentelemetry.md", "in Prometheus", "type")
    assert [(code(row["in Prometheus"])[0], row["type"]) for row in rows] == [
        *((f"{one.name}_total", "counter") for one in COUNTERS),
        *((one.name, "histogram") for one in HISTOGRAMS),
    ]


def test_python_reads_the_metrics_of_the_sink(root: Path) -> None:
    """Python's names of the metrics are those of the sink."""
    names = set(re.findall(r'"(\w+)" ->', (root / SINK_METRICS).read_text(encoding="utf-8")))
    rows = table(root / "docs/reference/metrics.md", "name at the sink")
    assert names == {name for row in rows for name in code(row["name at the sink"])}
    assert names == set(WRITTEN)


def test_python_reads_the_metrics_of_applied_changes(root: Path) -> None:
    """Python's names of these metrics are those of the sink that applies changes."""
    scala = set(re.findall(r'"(\w+)" ->', (root / APPLY_METRICS).read_text(encoding="utf-8")))
    head = "metric of `apply_changes`"
    rows = table(root / "docs/reference/metrics.md", head)
    assert {name for row in rows for name in code(row[head])} == set(APPLIED)
    assert scala <= {*APPLIED, *WRITTEN}


def test_python_reads_the_metrics_of_the_source(root: Path) -> None:
    """The names of the metrics, and of the reasons that ended a batch, are those of the source."""
    page = root / "docs/reference/metrics.md"
    scala = (root / METRICS).read_text(encoding="utf-8")
    names = re.findall(r'Metric\("(\w+)"', scala)
    assert [name for row in table(page, "name", "unit") for name in code(row["name"])] == names
    assert set(names) == {*BEHIND, "initialSnapshotPercent"}
    words = set(re.findall(r'case BatchEndReason\.\w+ => "(\w+)"', scala))
    ends = [word for row in table(page, "`batchClosedBy`") for word in code(row["`batchClosedBy`"])]
    assert set(ends) == words
    assert words <= set(re.findall(r'"(\w+)"', SourceProgress.__doc__ or ""))
