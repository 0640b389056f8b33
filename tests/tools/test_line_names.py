# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Every place that names the lines of Spark names those of the build."""

from __future__ import annotations

import re
import runpy

from bench import run as bench

from deltasource._session import spark_lines
from deltasource._session.environment import DELTA_VERSION
from support.build import LINES, ROOT

NEWEST = LINES[-1]


def test_the_package_has_the_lines_of_the_build() -> None:
    """The package, its wheel and the build agree."""
    versions = (ROOT / "project" / "Versions.scala").read_text()
    assert tuple(re.findall(r'SparkLine\(name = "([\d.]+)"', versions)) == LINES
    assert spark_lines.SPARK_LINES == LINES
    assert runpy.run_path(str(ROOT / "python" / "hatch_build.py"))["LINES"] == LINES


def test_the_extras_install_these_lines() -> None:
    """The extras accept the PySpark of every line and of no other."""
    project = (ROOT / "python" / "pyproject.toml").read_text()
    major, minor = NEWEST.split(".")
    accepted = f">={LINES[0]},<{major}.{int(minor) + 1}"
    assert f'\nspark = ["pyspark{accepted}"]\n' in project
    assert f'\nconnect = ["pyspark[connect]{accepted}"]\n' in project


def test_the_extra_tables_has_the_delta_of_the_jar() -> None:
    """`delta.tables` calls the Delta inside our jar, so both must be of one version."""
    versions = (ROOT / "project" / "Versions.scala").read_text()
    delta = re.search(r'val delta = "([\d.]+)"', versions)
    assert delta is not None
    assert delta[1] == DELTA_VERSION
    project = (ROOT / "python" / "pyproject.toml").read_text()
    assert f'\ntables = ["delta-spark=={DELTA_VERSION}"]\n' in project


def test_tests_and_measurements_use_them() -> None:
    """The Makefile has a PySpark for each line; without `LINE`, all work is on the newest."""
    makefile = (ROOT / "Makefile").read_text()
    pins = re.findall(r"^PYSPARK_(\S+) := (\S+)$", makefile, re.MULTILINE)
    assert tuple(line for line, _ in pins) == LINES
    assert [version for line, version in pins if not version.startswith(f"{line}.")] == []
    assert f"\nLINE ?= {NEWEST}\n" in makefile
    assert bench.LINE == NEWEST


def test_the_page_of_the_versions_has_them() -> None:
    """spark-versions.md has a column for each line, with the release it is built with."""
    page = (ROOT / "docs" / "reference" / "spark-versions.md").read_text()
    versions = (ROOT / "project" / "Versions.scala").read_text()
    built = re.findall(r'spark = "([\d.]+)"', versions)
    assert f"| | {' | '.join(LINES)} |" in page
    assert f"| Built with | {' | '.join(built)} |" in page
