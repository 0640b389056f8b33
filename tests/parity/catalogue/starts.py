# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Where a stream starts. Version n was committed at n o'clock of 2024-01-01."""

from parity.catalogue.histories import CALM, KEPT, SMALL, TAIL
from parity.history import Append, CleanUp, Create
from parity.script import Drain, Script, Start, Stop, Write

CLEANED = (*KEPT, CleanUp(3))

SCRIPTS = (
    Script(
        name="from a version in the middle",
        why="the version itself is the first to be read",
        cites="B16",
        history=SMALL + TAIL,
        options={"startingVersion": "3"},
        rows=tuple(range(6, 15)),
    ),
    Script(
        name="from the last version",
        why="the newest commit is still read",
        cites="B16",
        history=SMALL + TAIL,
        options={"startingVersion": "5", "maxFilesPerTrigger": "1"},
        rows=(13, 14),
    ),
    Script(
        name="from the next version",
        why="a version that is not there yet is refused, even the very next",
        cites="B16",
        history=SMALL,
        options={"startingVersion": "3"},
        fails="DELTA_VERSION_NOT_FOUND",
        rows=(),
    ),
    Script(
        name="from latest",
        why="nothing of what is there, everything that comes",
        cites="B17",
        history=SMALL,
        options={"startingVersion": "latest"},
        steps=(Start(), Drain(), Write(TAIL), Drain(), Stop()),
        rows=tuple(range(6, 15)),
    ),
    Script(
        name="from the time of a commit",
        why="a commit at the very time is included",
        cites="B18",
        history=SMALL + TAIL,
        options={"startingTimestamp": "2024-01-01 04:00:00"},
        rows=tuple(range(11, 15)),
    ),
    Script(
        name="from a time between two commits",
        why="the next commit after it is the first",
        cites="B18",
        history=SMALL + TAIL,
        options={"startingTimestamp": "2024-01-01T03:00:01Z", "maxFilesPerTrigger": "1"},
        rows=tuple(range(11, 15)),
    ),
    Script(
        name="from a date before the first commit",
        why="the first commit is the first",
        cites="B18",
        history=SMALL + TAIL,
        options={"startingTimestamp": "2023-12-31"},
    ),
    Script(
        name="from a time after the last commit",
        why="refused, with the times in the parameters",
        cites="B18",
        history=SMALL,
        options={"startingTimestamp": "2024-02-01"},
        fails="DELTA_TIMESTAMP_GREATER_THAN_COMMIT",
        rows=(),
    ),
    Script(
        name="from no time",
        why="what is not a time is refused",
        cites="B18",
        history=SMALL,
        options={"startingTimestamp": "yesterday, about noon"},
        fails="DELTA_TIMESTAMP_INVALID",
        rows=(),
    ),
    Script(
        name="from a version and a time",
        why="two starts are one too many",
        cites="B20",
        history=SMALL,
        options={"startingVersion": "1", "startingTimestamp": "2024-01-01"},
        fails="DELTA_STARTING_VERSION_AND_TIMESTAMP_BOTH_SET",
        rows=(),
    ),
    Script(
        name="from a version that was cleaned up",
        why="refused with the versions that are left, whatever failOnDataLoss says",
        cites="B16",
        history=CLEANED,
        options={"startingVersion": "1", "failOnDataLoss": "false"},
        fails="DELTA_VERSION_NOT_FOUND",
        rows=(),
    ),
    Script(
        name="from a time before the log was cleaned up",
        why="the earliest commit left is the first",
        cites="B18",
        history=CLEANED,
        options={"startingTimestamp": "2024-01-01", "maxFilesPerTrigger": "3"},
        rows=tuple(range(4, 12)),
    ),
    Script(
        name="from the snapshot of a cleaned log",
        why="the checkpoint holds what the commits no longer say",
        cites="B15, S9",
        history=CLEANED,
        options={"maxFilesPerTrigger": "5"},
    ),
    Script(
        name="from version 0 over commits without data",
        why="a log may begin with commits that hold nothing",
        cites="B16, B24",
        history=CALM,
        options={"startingVersion": "0"},
    ),
    Script(
        name="a table with a schema and no rows",
        why="one empty batch for the CREATE, then it waits, and goes on when rows come",
        cites="B21, S5",
        history=(Create(),),
        steps=(Start(), Drain(), Write((Append(2), Append(1))), Drain(), Stop()),
    ),
    Script(
        name="a table without a schema",
        why="refused before there is a stream",
        cites="D4",
        history=(Create(columns=""),),
        fails="DELTA_SCHEMA_NOT_SET",
        rows=(),
    ),
)
