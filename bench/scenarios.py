# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""All scenarios, with their sizes and targets.

The targets are from issue 7, those of `start`, `restart` and `freshness` from issue 23. The
published results use the `full` sizes; `small` takes minutes and shows that the benchmark works,
and how times grow.
"""

from __future__ import annotations

from typing import Final

from bench import measures, tables
from bench.applying import APPLYING
from bench.scenario import Measure, Scenario

ONE_BATCH: Final = {"startingVersion": "1", "maxFilesPerTrigger": "1000000"}
TWENTY: Final = {"maxFilesPerTrigger": "20"}


SCENARIOS: Final = (
    Scenario(
        name="snapshot",
        title="initial snapshot, 1,000 files a batch",
        unit="files",
        write=tables.snapshot,
        action="drain",
        sizes={"small": (4_000, 8_000), "full": (50_000, 100_000)},
        measures=(
            Measure(name="all batches", seconds=measures.whole, ratio=50),
            Measure(name="first batch", seconds=measures.first, ratio=5),
        ),
    ),
    Scenario(
        name="commit",
        title="one commit, 1,000 files a batch",
        unit="files",
        write=tables.one_commit,
        action="drain",
        options={"startingVersion": "1"},
        sizes={"small": (10_000, 20_000), "full": (100_000, 200_000)},
        measures=(Measure(name="all batches", seconds=measures.whole, ratio=150),),
    ),
    Scenario(
        name="backlog",
        warm=200,
        title="backlog of small commits, AvailableNow",
        unit="commits",
        write=tables.backlog,
        action="drain",
        now=True,
        options={"startingVersion": "0"},
        sizes={"small": (2_000, 4_000), "full": (10_000, 20_000)},
        measures=(Measure(name="all batches", seconds=measures.whole, ratio=10),),
    ),
    Scenario(
        name="idle",
        warm=200,
        title="a poll that finds nothing new",
        unit="objects in the log",
        write=tables.long_log,
        action="idle",
        options={"startingVersion": "latest"},
        polls=200,
        sizes={"small": (1_000, 2_000), "full": (1_000, 10_000, 20_000, 100_000, 300_000)},
        measures=(Measure(name="poll", seconds=measures.poll, ratio=1_000, at=10_000, growth=1.1),),
        floor=False,
    ),
    Scenario(
        name="steady",
        warm=200,
        title="small commits one after the other, with checksum files",
        unit="files in the table",
        write=tables.steady(checksums=True),
        action="follow",
        batches={"small": 50, "full": tables.ARRIVING},
        options={"startingVersion": "latest"},
        sizes={"small": (1_000, 2_000), "full": (10_000, 20_000)},
        measures=(
            Measure(name="source time per batch", seconds=measures.source, ratio=4, growth=1.1),
        ),
        floor=False,
    ),
    Scenario(
        name="steady-bare",
        warm=200,
        title="small commits one after the other, without checksum files",
        unit="files in the table",
        write=tables.steady(checksums=False),
        action="follow",
        batches={"small": 50, "full": tables.ARRIVING},
        options={"startingVersion": "latest"},
        sizes={"small": (1_000, 2_000), "full": (10_000, 20_000)},
        measures=(
            Measure(name="source time per batch", seconds=measures.source, ratio=40, growth=1.1),
        ),
        floor=False,
    ),
    Scenario(
        name="start",
        warm=50,
        title="first batch of a new stream, many commits since the last checkpoint",
        unit="commits since the table's checkpoint",
        write=tables.since_checkpoint,
        action="drain",
        batches={"small": 1, "full": 1},
        sizes={"small": (500, 1_000), "full": (5_000, 10_000)},
        measures=(Measure(name="first batch", seconds=measures.first, ratio=10),),
        floor=False,
    ),
    Scenario(
        name="start-long",
        warm=200,
        title="first batch of a new stream, most of the log older than the last checkpoint",
        unit="objects in the log",
        write=tables.long_log,
        action="drain",
        batches={"small": 1, "full": 1},
        sizes={"small": (1_000, 2_000), "full": (150_000, 300_000)},
        measures=(Measure(name="first batch", seconds=measures.first),),
        floor=False,
    ),
    Scenario(
        name="restart",
        warm=50,
        title="restart inside the initial snapshot, many commits since the last checkpoint",
        unit="commits since the table's checkpoint",
        write=tables.since_checkpoint,
        action="restart",
        options={"maxFilesPerTrigger": "100"},
        sizes={"small": (500, 1_000), "full": (5_000, 10_000)},
        measures=(Measure(name="replayed batch and the next", seconds=measures.whole, ratio=10),),
        floor=False,
    ),
    Scenario(
        name="feed",
        warm=20,
        title="change feed over deletes with deletion vectors, in one batch",
        unit="versions",
        write=tables.deletes,
        action="drain",
        options={**ONE_BATCH, "readChangeFeed": "true"},
        sizes={"small": (50, 100), "full": (50, 100, 200, 1_000)},
        measures=(Measure(name="whole batch", seconds=measures.whole, ratio=15, at=200),),
    ),
    Scenario(
        name="vectors",
        warm=20,
        title="files changed by deletes with deletion vectors, in one batch",
        unit="versions",
        write=tables.deletes,
        action="drain",
        options={**ONE_BATCH, "ignoreChanges": "true"},
        sizes={"small": (50, 100), "full": (50, 100, 200, 1_000)},
        measures=(Measure(name="whole batch", seconds=measures.whole, ratio=20, at=200),),
    ),
    Scenario(
        name="noop",
        warm=10,
        title="end to end, into the noop sink, 20 files a batch",
        unit="files",
        write=None,
        action="noop",
        now=True,
        options=TWENTY,
        sizes={"small": (20, 40), "full": (100, 200)},
        measures=(Measure(name="whole query", seconds=measures.whole, ratio=8),),
        floor=False,
    ),
    Scenario(
        name="copy",
        warm=10,
        title="end to end, into a Delta table, 20 files a batch",
        unit="files",
        write=None,
        action="copy",
        now=True,
        options=TWENTY,
        sizes={"small": (20, 40), "full": (100, 200)},
        measures=(Measure(name="whole query", seconds=measures.whole, ratio=6),),
        floor=False,
    ),
    Scenario(
        name="freshness",
        warm=10,
        title="a commit of 1 MB every 500 ms, from Delta to Delta",
        unit="commits",
        write=tables.growing,
        action="mirror",
        options={"startingVersion": "latest"},
        sizes={"small": (40,), "full": (2_000,)},
        measures=(
            Measure(name="p50", seconds=measures.fresh(50), limit=0.5, growth=None),
            Measure(name="p99", seconds=measures.fresh(99), limit=1, growth=None),
        ),
        floor=False,
    ),
    *(
        Scenario(
            name=name,
            warm=100,
            title=f"small batches into a table, {how} checksum files",
            unit="files in the table",
            write=tables.target(checksums=checksums),
            action="add",
            batches={"small": 6, "full": 22},
            sizes={"small": (1_000, 2_000), "full": (1_000, 10_000, 100_000)},
            measures=(
                Measure(
                    name="sink time per batch",
                    seconds=measures.added,
                    ratio=15,
                    growth=1.1,
                    since=1_000,
                ),
                Measure(name="slowest batch", seconds=measures.slowest, ratio=5, since=1_000),
            ),
            floor=False,
        )
        for name, how, checksums in (("sink", "with", True), ("sink-bare", "without", False))
    ),
    *APPLYING,
)
