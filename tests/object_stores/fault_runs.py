# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m object_stores.fault_runs`: streams whose store fails, by random schedules.

Each schedule has its own tables and checkpoint. Commits arrive between the runs of a query, and
faults are injected into its requests. In the end, every row must be in the target once.
"""

import argparse
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql.streaming.readwriter import DataStreamWriter
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from object_stores.fault import Fault, FaultKind
from object_stores.fault_store import FaultyStore, faulty_store
from object_stores.phases import LOG_STORE, MANAGER, session
from object_stores.source import Commits, SourceTable
from object_stores.store import connector, local_store
from object_stores.table_log import rows
from parity.harness.both_sides import OURS, jars

SECONDS = 120
"""How long a run may take; S3A's shortest timeouts are 15 seconds."""

CONFS = (
    {
        # A task is tried again, as on a cluster.
        "spark.master": "local[2, 4]",
    }
    | {
        f"spark.hadoop.fs.s3a.{key}": value
        for key, value in {
            "retry.interval": "20ms",
            "retry.throttle.interval": "20ms",
            "connection.timeout": "15s",
            "connection.request.timeout": "15s",
        }.items()
    }
    | {
        "spark.sql.streaming.checkpointFileManagerClass": MANAGER,
        **LOG_STORE,
        "spark.databricks.delta.snapshotPartitions": "2",
    }
)


@dataclass(frozen=True)
class Step:
    """New commits, and a run of the query with faults."""

    commits: int
    faults: Sequence[Fault]

    @property
    def is_transient(self) -> bool:
        """Whether the query gets over the faults without a restart."""
        return all(fault.is_transient for fault in self.faults)


@dataclass(frozen=True)
class Schedule:
    """The runs of one query; `max_files` is its limit per batch."""

    seed: int
    max_files: int
    steps: Sequence[Step]

    @staticmethod
    def of_seed(seed: int) -> "Schedule":
        draw = random.Random(seed)
        steps = [
            Step(draw.randint(0, 3), [Fault.drawn(draw) for _ in range(draw.randint(1, 4))])
            for _ in range(draw.randint(1, 3))
        ]
        return Schedule(seed, draw.randint(1, 3), [Step(1, ()), *steps, Step(1, ())])


@dataclass(frozen=True)
class Outcome:
    """What happened: wrong is empty if all is well."""

    schedule: Schedule
    injected: Counter[FaultKind]
    errors: Sequence[str]
    """The messages of the runs that failed."""
    wrong: Sequence[str]


class FaultRuns:
    """Runs schedules over copies of one table, in a session whose `s3a://` is the proxy."""

    def __init__(self, spark: SparkSession, store: FaultyStore, commits: Commits) -> None:
        self._spark = spark
        self._store = store
        self._commits = commits

    def run(self, schedule: Schedule) -> Outcome:
        key = f"runs/{schedule.seed}"
        source = self.source(key)
        injected: Counter[FaultKind] = Counter()
        errors, wrong = [], []
        for number, step in enumerate(schedule.steps):
            source.append(step.commits)
            self._store.inject(step.faults)
            error = self._run_query(key, schedule.max_files)
            counts = self._store.injected()
            injected.update({f.kind: n for f, n in zip(step.faults, counts, strict=True)})
            self._store.inject(())
            if error is not None:
                errors.append(error)
                if step.is_transient:
                    wrong.append(f"run {number} failed: {error}")
        wrong += self.wrong_rows(key, source)
        return Outcome(schedule, injected, errors, wrong)

    def writer(self, key: str, max_files: int) -> DataStreamWriter:
        """A query from the source to the target of this key."""
        uri = self._store.proxied.uri(key)
        reader = self._spark.readStream.format("delta").option("maxFilesPerTrigger", max_files)
        # One file for each batch, so that its ids are consecutive.
        rows = reader.load(f"{uri}/source").coalesce(1)
        options = {"checkpointLocation": f"{uri}/checkpoint", "path": f"{uri}/target"}
        return rows.writeStream.format("delta").options(**options)

    def _run_query(self, key: str, max_files: int) -> str | None:
        """Return the error of a run, if it fails."""
        try:
            query = self.writer(key, max_files).trigger(availableNow=True).start()
        except (PySparkException, Py4JJavaError) as error:
            return error_text(error)
        try:
            return None if query.awaitTermination(SECONDS) else f"not done after {SECONDS} s"
        except PySparkException as error:
            return error_text(error)
        finally:
            query.stop()

    def source(self, key: str) -> SourceTable:
        """The source of this key, without commits."""
        return self._commits.table(self._store.direct, f"{key}/source")

    def wrong_rows(self, key: str, source: SourceTable) -> list[str]:
        """What is wrong with the target of this key, once all of the source is read."""
        written = Counter(rows(self._store.direct, f"{key}/target"))
        lost = sorted(set(range(source.rows)) - written.keys())
        doubled = [f"row {row} is there {n} times" for row, n in written.items() if n > 1]
        return [*(f"row {row} is lost" for row in lost), *doubled]


def error_text(error: Exception) -> str:
    """Without the Java stack."""
    text = str(error.java_exception if isinstance(error, Py4JJavaError) else error)
    return text.split("\n\tat ")[0].split("\n\nJVM stacktrace")[0]


def outcomes(runs: FaultRuns, seeds: Sequence[int]) -> Iterator[Outcome]:
    for seed in seeds:
        yield runs.run(Schedule.of_seed(seed))


@contextmanager
def local_runs(folder: Path) -> Generator[FaultRuns]:
    """Runs with a store, a proxy and a session of their own."""
    with local_store(folder) as store, faulty_store(store, folder) as faulty:
        confs = faulty.proxied.confs() | CONFS
        spark = session([str(jar) for jar in (*jars(OURS), *connector())], confs)
        yield FaultRuns(spark, faulty, Commits(spark, folder / "source", 12))
        spark.stop()


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="object_stores.fault_runs", description=__doc__)
    parser.add_argument("--schedules", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1, help="of the first schedule")
    parser.add_argument("--errors", action="store_true", help="print the errors of failed runs")
    options = parser.parse_args(given)
    console = Console()
    injected: Counter[FaultKind] = Counter()
    failed = 0
    wrong: list[str] = []
    started = time.monotonic()
    seeds = range(options.seed, options.seed + options.schedules)
    with (
        tempfile.TemporaryDirectory(prefix="faults-") as name,
        local_runs(Path(name)) as runs,
        Progress(console=console) as progress,
    ):
        task = progress.add_task("schedules", total=len(seeds))
        for outcome in outcomes(runs, seeds):
            injected += outcome.injected
            failed += len(outcome.errors)
            wrong += [f"seed {outcome.schedule.seed}: {text}" for text in outcome.wrong]
            if options.errors:
                for error in outcome.errors:
                    console.print(f"seed {outcome.schedule.seed}: {error}", markup=False)
            progress.advance(task)
    table = Table("fault", "injected")
    for kind in FaultKind:
        table.add_row(kind.value, str(injected[kind]))
    console.print(table)
    for text in wrong:
        console.print(text, markup=False)
    seconds = time.monotonic() - started
    console.print(
        f"{len(seeds)} schedules in {seconds:.0f} s, {failed} runs failed and were restarted, "
        f"{len(wrong)} wrong"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
