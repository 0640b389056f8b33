# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The JVM of a session: what it uses, and its threads."""

import gc
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

MB = 1 << 20


class JvmProcess:
    def __init__(self, spark: SparkSession) -> None:
        jvm: Any = spark._jvm
        self._java = jvm.java.lang
        self._process = Path("/proc", str(self._java.ProcessHandle.current().pid()))

    def measures(self) -> dict[str, float]:
        """What the process uses; the heap after garbage collections of Python and the JVM."""
        beans = self._java.management.ManagementFactory
        # Without this, ended queries stay in the heap until Python collects cycles by itself: see
        # "Memory of a driver that restarts queries" in monitoring.md. py4j tells the JVM in
        # the background, so the last of them may be released after this measurement.
        gc.collect()
        self._java.System.gc()
        (resident,) = (
            line.split()[1]
            for line in (self._process / "status").read_text().splitlines()
            if line.startswith("VmRSS")
        )
        return {
            "heap": beans.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MB,
            "threads": beans.getThreadMXBean().getThreadCount(),
            "handles": sum(1 for _ in (self._process / "fd").iterdir()),
            "resident": int(resident) * 1024 / MB,
        }

    def interrupt(self, run_id: str) -> None:
        """Interrupt the thread of a query: its name contains the id of the run."""
        for thread in self._java.Thread.getAllStackTraces().keySet():
            name = thread.getName()
            if name.startswith("stream execution thread") and run_id in name:
                thread.interrupt()
