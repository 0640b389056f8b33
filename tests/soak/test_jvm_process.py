# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What is released before the heap of the driver is measured; without Spark."""

import gc
import os
import weakref
from types import SimpleNamespace
from typing import Any, cast

from pyspark.sql import SparkSession

from soak.jvm_process import JvmProcess


class JavaObject:
    """Is part of a cycle, as py4j's objects are once a method has been called on them."""

    def __init__(self) -> None:
        self.member = self


def test_python_releases_the_objects_of_the_jvm_before_the_heap_is_measured() -> None:
    """Java objects that only a cycle of Python holds are released before the JVM collects."""
    collected: list[bool] = []
    ended_query = JavaObject()
    known = weakref.ref(ended_query)
    spark = fake_spark(lambda: collected.append(known() is None))
    gc.disable()
    try:
        del ended_query
        JvmProcess(spark).measures()
    finally:
        gc.enable()
    assert collected == [True]


def fake_spark(collect: Any) -> SparkSession:
    """A session whose JVM is this process."""
    heap = SimpleNamespace(getHeapMemoryUsage=lambda: SimpleNamespace(getUsed=lambda: 1))
    factory = SimpleNamespace(
        getMemoryMXBean=lambda: heap,
        getThreadMXBean=lambda: SimpleNamespace(getThreadCount=lambda: 1),
    )
    process = SimpleNamespace(current=lambda: SimpleNamespace(pid=os.getpid))
    lang = SimpleNamespace(
        System=SimpleNamespace(gc=collect),
        ProcessHandle=process,
        management=SimpleNamespace(ManagementFactory=factory),
    )
    jvm = SimpleNamespace(java=SimpleNamespace(lang=lang))
    return cast(SparkSession, SimpleNamespace(_jvm=jvm))
