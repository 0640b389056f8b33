# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Stopped and resumed: in the snapshot, in a commit, between two; with and without a planned batch.

Each of these is also run with the two sides alternating at every stop.
"""

from parity.catalogue.histories import CALM, KEPT, SMALL, TAIL
from parity.history import Append, Checkpoint, Optimize
from parity.script import Batches, Drain, Place, Script, Start, Stop, Trigger, Uncommit, Write

TWO = {"maxFilesPerTrigger": "2"}
FROM_ZERO = {"maxFilesPerTrigger": "2", "startingVersion": "0"}
BY_NAME = {"spark.sql.streaming.offsetLog.formatVersion": "2"}
NOW = Start(Trigger.AVAILABLE_NOW)


def stopped(
    place: Place, *, after: int, forget: bool
) -> tuple[Start | Batches | Stop | Drain, ...]:
    return (Start(), Batches(after), Stop(at=place, forget=forget), Start(), Drain(), Stop())


SCRIPTS = (
    Script(
        name="stopped inside the snapshot",
        why="the recorded snapshot continues after the last file delivered",
        cites="B1, B34",
        history=SMALL + TAIL,
        options=TWO,
        steps=stopped(Place.SNAPSHOT, after=2, forget=True),
    ),
    Script(
        name="stopped inside the snapshot with a batch planned",
        why="the planned range is replayed as it was planned",
        cites="B33, B34",
        history=SMALL + TAIL,
        options=TWO,
        steps=stopped(Place.SNAPSHOT, after=2, forget=False),
    ),
    Script(
        name="stopped inside a commit",
        why="the commit continues after the last file delivered, not at its start",
        cites="B1, B9, H3",
        history=SMALL + TAIL,
        options=FROM_ZERO,
        steps=stopped(Place.COMMIT, after=1, forget=True),
    ),
    Script(
        name="stopped inside a commit with a batch planned",
        why="the planned range begins inside one commit and ends inside another",
        cites="B33",
        history=SMALL + TAIL,
        options=FROM_ZERO,
        steps=stopped(Place.COMMIT, after=4, forget=False),
    ),
    Script(
        name="stopped between two commits",
        why="the next commit is the first to be read",
        cites="B1, S4",
        history=SMALL + TAIL,
        options=FROM_ZERO,
        steps=stopped(Place.BOUNDARY, after=3, forget=True),
    ),
    Script(
        name="stopped between two commits with a batch planned",
        why="the planned batch is replayed as planned",
        cites="B33",
        history=SMALL + TAIL,
        options=FROM_ZERO,
        steps=stopped(Place.BOUNDARY, after=3, forget=False),
    ),
    Script(
        name="stopped before the first batch was committed",
        why="a planned first batch has no start offset: its end alone determines the snapshot",
        cites="B35, S3",
        history=SMALL + TAIL,
        options=TWO,
        steps=(Start(), Stop(), Start(), Drain(), Stop()),
    ),
    Script(
        name="stopped before the first batch from a version was committed",
        why="the replayed first batch starts at the given version",
        cites="B35, S3",
        history=SMALL + TAIL,
        options=FROM_ZERO,
        steps=(Start(), Stop(), Start(), Drain(), Stop()),
    ),
    Script(
        name="stopped at the end of the snapshot",
        why="the offset of the snapshot's last file moves on to the next version",
        cites="B3, B33",
        history=SMALL + TAIL,
        options={"maxFilesPerTrigger": "7"},
        steps=stopped(Place.BOUNDARY, after=2, forget=False),
    ),
    Script(
        name="the table is written while the snapshot is half read",
        why="the recorded snapshot is read to its end, and each later commit once",
        cites="B34, S9",
        history=SMALL,
        options=TWO,
        steps=(
            *(Start(), Batches(1), Stop(at=Place.SNAPSHOT, forget=True)),
            Write((Append(3, files=3), Optimize(), Checkpoint(), Append(2))),
            *(Start(), Drain(), Stop()),
        ),
    ),
    Script(
        name="a planned batch and then more commits",
        why="later commits are not part of the planned batch",
        cites="B33",
        history=SMALL,
        options={"startingVersion": "1"},
        steps=(Start(), Stop(), Write(TAIL), Start(), Drain(), Stop()),
    ),
    Script(
        name="the sink wrote the last batch and the engine did not commit it",
        why="the replayed batch has the same rows, so that a sink may keep the first one",
        cites="B33, S3",
        history=SMALL + TAIL,
        options=TWO,
        steps=(Start(), Batches(4), Stop(forget=True), Uncommit(), Start(), Drain(), Stop()),
    ),
    Script(
        name="other limits after a restart",
        why="an offset inside a commit does not depend on the limits",
        cites="B11, H10, H16",
        history=SMALL + TAIL,
        options=FROM_ZERO,
        steps=(
            *(Start(), Batches(1), Stop(at=Place.COMMIT, forget=True)),
            *(Start(options={"maxFilesPerTrigger": "3"}), Batches(1), Stop(at=Place.COMMIT)),
            *(Start(options={"maxFilesPerTrigger": "1"}), Drain(), Stop()),
        ),
    ),
    Script(
        name="other start options after a restart",
        why="with an offset the start options are ignored",
        cites="B20",
        history=SMALL + TAIL,
        options=TWO,
        steps=(
            *(Start(), Batches(1), Stop(at=Place.SNAPSHOT, forget=True)),
            *(Start(options={"startingVersion": "4"}), Drain(), Stop()),
        ),
    ),
    Script(
        name="restarted with nothing new, then a commit",
        why="an offset after the last version waits for the next one",
        cites="S4, H7",
        history=SMALL,
        steps=(
            Start(),
            Drain(),
            Stop(at=Place.BOUNDARY),
            Start(),
            Write((Append(2),)),
            Drain(),
            Stop(),
        ),
    ),
    Script(
        name="resumed by AvailableNow inside a commit",
        why="the run continues from the checkpoint to the bound",
        cites="B14",
        history=SMALL + TAIL,
        options=FROM_ZERO,
        steps=(Start(), Batches(1), Stop(at=Place.COMMIT, forget=True), NOW, Drain(), Stop()),
    ),
    Script(
        name="offsets keyed by source name",
        why="version 2 of Spark's offset log; a checkpoint keeps the version that it began with",
        cites="B1, H61",
        history=SMALL + TAIL,
        options=FROM_ZERO,
        steps=(
            *(Start(confs=BY_NAME), Batches(1), Stop(forget=True), Start(), Batches(1), Stop()),
            *(Start(confs=BY_NAME), Drain(), Stop()),
        ),
    ),
    Script(
        name="stopped after each batch",
        why="many restarts, each with a replay of the last batch that the engine discards",
        cites="S3, S4",
        history=CALM,
        options={"maxFilesPerTrigger": "1", "startingVersion": "0"},
        steps=(*(Start(), Batches(1), Stop(forget=True)) * 3, Start(), Drain(), Stop()),
    ),
    Script(
        name="stopped inside the snapshot of a cleaned log",
        why="a snapshot based on a multi-part checkpoint is resumed",
        cites="B34, S9",
        history=KEPT,
        options={"maxFilesPerTrigger": "5"},
        steps=stopped(Place.SNAPSHOT, after=1, forget=False),
    ),
)
