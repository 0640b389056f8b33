# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The plugin, through the complete example of docs/reference/testing.md."""

from __future__ import annotations

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from support.pages import blocks

pytest_plugins = ["pytester"]


@pytest.mark.usefixtures("spark")
def test_the_example_passes(pytester: pytest.Pytester, root: Path) -> None:
    """Both files of the page work as pasted; the fixture takes the session that is running."""
    page = (root / "docs" / "reference" / "testing.md").read_text(encoding="utf-8")
    conftest, tests = (block.text for block in blocks(page) if block.language == "python")
    pytester.makeconftest(conftest)
    pytester.makepyfile(test_orders=tests)
    pytester.runpytest_inprocess("-p", "no:xdist").assert_outcomes(passed=3)


def test_the_ini_option_sets_confs(pytester: pytest.Pytester, spark: SparkSession) -> None:
    """Confs that a running session does not have are refused; a line without a value is, too."""
    pytester.makeconftest('pytest_plugins = ["deltasource.testing.plugin"]')
    pytester.makepyfile("def test_it(delta_session): pass")
    for line, error in (("a.b=c", "SessionRunningError"), ("a.b", "OptionsError")):
        pytester.makeini(f"[pytest]\ndeltasource_confs =\n  {line}")
        result = pytester.runpytest_inprocess("-p", "no:xdist")
        result.assert_outcomes(errors=1)
        result.stdout.fnmatch_lines([f"*{error}*"])
    assert spark.range(1).count() == 1
