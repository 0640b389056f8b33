# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The names of Spark's classes on each line, without starting Spark."""

from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pyspark
import pytest

from parity.harness.spark_classes import checkpoint_files, serialized_offset
from support import build


@pytest.mark.parametrize("line", build.LINES)
@pytest.mark.parametrize("name", [serialized_offset, checkpoint_files])
def test_the_spark_of_a_line_has_the_class(name: Callable[[str], str], line: str) -> None:
    """The planning scripts once called a class of Spark 4.1 on 4.0, and compared the two errors."""
    [jar] = _jars(line).glob("spark-sql_2.13-*.jar")
    with ZipFile(jar) as classes:
        assert f"{name(line).replace('.', '/')}.class" in classes.namelist()


def _jars(line: str) -> Path:
    if line == build.LINE:
        return Path(pyspark.__file__).parent / "jars"
    [jars] = build.python(line).parents[1].glob("lib/python*/site-packages/pyspark/jars")
    return jars
