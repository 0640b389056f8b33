# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Which errors are results of a side, without Spark."""

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from pyspark.sql import SparkSession

from parity.harness.exceptions import describe
from parity.planning.script import Open, Plans
from parity.planning.source_driver import SourceDriver
from parity.planning.table import Table

JAVA_ERROR = SimpleNamespace(
    getClass=lambda: SimpleNamespace(getName=lambda: "java.lang.Delta"),
    getCondition=lambda: "DELTA_NO",
    getSqlState=lambda: "0A000",
    getMessageParameters=lambda: {"version": "3"},
    getMessage=lambda: "No.",
)


class WrappedError(Exception):
    """As PySpark raises it."""

    _origin = JAVA_ERROR


def java_class(*names: str) -> SimpleNamespace:
    """A class of this name, whose superclasses have the other names."""
    name, *above = names
    return SimpleNamespace(getName=lambda: name, getSuperclass=lambda: java_class(*above))


@pytest.mark.parametrize("error", [JAVA_ERROR, WrappedError()])
def test_a_java_error_is_a_result(error: object) -> None:
    """A Java error is described by its condition, wrapped in a Python error or not."""
    found = describe("run", error)
    assert (found["kind"], found["condition"]) == ("java.lang.Delta", "DELTA_NO")
    assert found["parameters"] == {"version": "3"}


def test_a_class_of_ours_counts_as_deltas_class_that_it_extends() -> None:
    """A handler of Delta's class works with ours; one of another class does not."""
    name = "org.apache.spark.sql.delta.stream.model.ExplainedDeltaError$IllegalState"
    longer = {
        "getClass": lambda: java_class(name, "java.lang.Delta", "Top"),
        "getMessage": lambda: "No. (see `deltasource explain-error DELTA_NO`)",
        "added": lambda: " (see `deltasource explain-error DELTA_NO`)",
    }
    ours = SimpleNamespace(**{**vars(JAVA_ERROR), **longer})
    assert describe("run", ours) == describe("run", JAVA_ERROR)


def test_a_python_error_is_no_result() -> None:
    """An error of Python alone is a fault of the harness, and is raised again."""
    with pytest.raises(TypeError, match="not callable"):
        describe("call", TypeError("'JavaPackage' object is not callable"))


def test_a_fault_of_the_source_driver_fails_the_call(tmp_path: Path) -> None:
    """Both sides once answered a planning script with the same error of Python, and agreed."""
    spark = cast(SparkSession, SimpleNamespace(_jvm=None, _jsparkSession=None))
    script = Plans(table=Table(()), steps=(Open(),))
    with pytest.raises(AttributeError):
        SourceDriver(spark, script, tmp_path).run()
