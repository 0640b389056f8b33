# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Plain streams over deletion vectors, whose rows are in the file but not in the table."""

from parity.catalogue.histories import MARKED
from parity.history import Append, Delete, Optimize
from parity.script import Batches, Drain, Place, Script, Start, Step, Stop, Trigger, Write

ZERO = {"startingVersion": "0"}
ONE = {"maxFilesPerTrigger": "1"}
CHANGES = {"ignoreChanges": "true"}
SKIP = {"skipChangeCommits": "true"}
PLAIN = MARKED[:5]
"""Rows 0 to 8, row 1 deleted by a vector in version 3."""


def stopped(place: Place, *, forget: bool) -> tuple[Step, ...]:
    return (Start(), Batches(1), Stop(at=place, forget=forget), Start(), Drain(), Stop())


SCRIPTS = (
    Script(
        name="a snapshot with deletion vectors",
        why="deleted rows are not delivered",
        cites="H31",
        history=MARKED,
        rows=(2, 5, 6, 7, 8, 9, 10, 1003),
    ),
    Script(
        name="a snapshot with deletion vectors, one file a batch",
        why="all files have an index, with or without vectors",
        cites="H31",
        history=MARKED,
        options=ONE,
        steps=stopped(Place.SNAPSHOT, forget=False),
        rows=(2, 5, 6, 7, 8, 9, 10, 1003),
    ),
    Script(
        name="a snapshot with one deleted row",
        why="the smallest vector",
        cites="H31",
        history=PLAIN,
        options={"maxFilesPerTrigger": "2"},
        rows=(0, *range(2, 9)),
    ),
    Script(
        name="a deletion vector without permission",
        why="a commit with a deletion vector removes and adds a file",
        cites="H31",
        history=PLAIN,
        options={"startingVersion": "3"},
        fails="DELTA_SOURCE_TABLE_IGNORE_CHANGES",
        rows=(),
    ),
    Script(
        name="a deletion vector with only deletes ignored",
        why="a deletion vector is no delete of whole files",
        cites="H31",
        history=PLAIN,
        options={"startingVersion": "3", "ignoreDeletes": "true"},
        fails="DELTA_SOURCE_TABLE_IGNORE_CHANGES",
        rows=(),
    ),
    Script(
        name="commits with deletion vectors skipped",
        why="a commit with a deletion vector delivers nothing",
        cites="H31, H18",
        history=MARKED,
        options={**ZERO, **SKIP, "maxFilesPerTrigger": "2"},
        rows=tuple(range(11)),
    ),
    Script(
        name="changes ignored, with deletion vectors",
        why="a file with a new vector is delivered again, with its remaining rows",
        cites="H32",
        history=MARKED,
        options={**ZERO, **CHANGES},
        rows=(*range(6), 6, 7, 0, 2, 8, 2, 3, 5, 5, 1003, 9, 10),
    ),
    Script(
        name="changes ignored, with deletion vectors, one file a batch",
        why="one path with two vectors in two batches",
        cites="H32",
        history=MARKED,
        options={**ZERO, **CHANGES, **ONE},
        rows=(*range(6), 6, 7, 0, 2, 8, 2, 3, 5, 5, 1003, 9, 10),
    ),
    Script(
        name="changes ignored, with deletion vectors, planned and stopped",
        why="a replayed batch reads the same vectors",
        cites="H1, H32",
        history=MARKED,
        options={**ZERO, **CHANGES, "maxFilesPerTrigger": "6"},
        steps=stopped(Place.COMMIT, forget=False),
        rows=(*range(6), 6, 7, 0, 2, 8, 2, 3, 5, 5, 1003, 9, 10),
    ),
    Script(
        name="rows deleted by vectors while it runs",
        why="rows delivered before stay delivered",
        cites="H32",
        history=MARKED[:3],
        options={**CHANGES, **ONE},
        steps=(Start(), Drain(), Write(MARKED[3:]), Drain(), Stop()),
        rows=(*range(6), 6, 7, 0, 2, 8, 2, 3, 5, 5, 1003, 9, 10),
    ),
    Script(
        name="rows deleted by vectors while the snapshot is half read",
        why="later vectors do not affect the recorded snapshot",
        cites="H2, H31",
        history=MARKED[:3],
        options={**SKIP, **ONE},
        steps=(
            *(Start(), Batches(1), Stop(at=Place.SNAPSHOT, forget=True)),
            *(Write(MARKED[3:]), Start(), Drain(), Stop()),
        ),
        rows=tuple(range(11)),
    ),
    Script(
        name="deletion vectors purged by OPTIMIZE",
        why="a commit without data changes delivers nothing, with or without vectors",
        cites="H31, H17",
        history=(*PLAIN, Optimize(), Append(1)),
        options={**ZERO, **SKIP},
    ),
    Script(
        name="deletion vectors with AvailableNow",
        why="the bound is after the vectors",
        cites="H4, H32",
        history=MARKED,
        options={**ZERO, **CHANGES, "maxFilesPerTrigger": "2"},
        steps=(Start(Trigger.AVAILABLE_NOW), Drain(), Stop()),
        rows=(*range(6), 6, 7, 0, 2, 8, 2, 3, 5, 5, 1003, 9, 10),
    ),
    Script(
        name="a file with all rows deleted",
        why="it is removed, and nothing is added",
        cites="H31",
        history=(
            MARKED[0],
            Append(2),
            Delete((0, 1)),
            Append(1),
        ),
        options={**ZERO, "ignoreDeletes": "true"},
    ),
)
