# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Commits that remove rows: delivered, skipped, or refused. CHANGED has one of each kind."""

from parity.catalogue.histories import CHANGED, SMALL
from parity.history import Append, Create, Delete, Restore, Update
from parity.script import Batches, Drain, Script, Start, Stop, Trigger, Write

DELETED = CHANGED[:5]
"""Rows 0 to 6; version 3 removes the file with rows 4 and 5."""

REWRITTEN = CHANGED[:7]
"""One more row, and version 5 deletes row 0 from the file it shares with row 1."""

SCRIPTS = (
    Script(
        name="deletes ignored",
        why="a commit that only removes files has nothing to deliver",
        cites="B23",
        history=DELETED,
        options={"ignoreDeletes": "true", "startingVersion": "0", "maxFilesPerTrigger": "2"},
    ),
    Script(
        name="deletes ignored, a file rewritten",
        why="ignoreDeletes does not cover a commit that also adds",
        cites="B23, B25",
        history=REWRITTEN,
        options={"ignoreDeletes": "true", "startingVersion": "0"},
        fails="DELTA_SOURCE_TABLE_IGNORE_CHANGES",
        rows=tuple(range(7)),
        allows="Good data first",
    ),
    Script(
        name="changes ignored",
        why="rewritten files are delivered again, with all their rows",
        cites="B23",
        history=CHANGED,
        options={"ignoreChanges": "true", "startingVersion": "0", "maxFilesPerTrigger": "2"},
        rows=(*range(7), 1, 7, 1002, 3, *range(8, 12)),
    ),
    Script(
        name="file deletion ignored",
        why="the old name of ignoreChanges still works",
        cites="B23",
        history=CHANGED,
        options={"ignoreFileDeletion": "true", "startingVersion": "4"},
        rows=(6, 1, 7, 1002, 3, *range(8, 12)),
    ),
    Script(
        name="change commits skipped",
        why="a commit that removes delivers nothing, not even what it adds",
        cites="B23, H18",
        history=CHANGED,
        options={"skipChangeCommits": "true", "startingVersion": "0", "maxFilesPerTrigger": "1"},
        rows=(*range(6), 6, 7, 8, 11),
    ),
    Script(
        name="change commits skipped after the snapshot",
        why="the snapshot is read as it is, later commits are checked one by one",
        cites="B23",
        history=SMALL,
        options={"skipChangeCommits": "true"},
        steps=(
            Start(),
            Drain(),
            Write((Delete((0,)), Append(1), Update((1,)), Append(1))),
            Drain(),
            Stop(),
        ),
    ),
    Script(
        name="a delete without permission",
        why="refused, naming the file, the version and the table",
        cites="B23",
        history=DELETED,
        options={"startingVersion": "3"},
        fails="DELTA_SOURCE_IGNORE_DELETE",
        rows=(),
    ),
    Script(
        name="a delete without permission after good data",
        why="commits before it are good data",
        cites="B23, B25",
        history=DELETED,
        options={"startingVersion": "0", "maxFilesPerTrigger": "2"},
        fails="DELTA_SOURCE_IGNORE_DELETE",
        rows=tuple(range(6)),
        allows="Good data first",
    ),
    Script(
        name="a delete without permission in the backlog of AvailableNow",
        why="the bound is a version, found without reading the commits before it",
        cites="B14, B25",
        history=CHANGED,
        options={"startingVersion": "0"},
        steps=(Start(Trigger.AVAILABLE_NOW), Drain(), Stop()),
        fails="DELTA_SOURCE_IGNORE_DELETE",
        rows=tuple(range(6)),
        allows="The bound of AvailableNow",
    ),
    Script(
        name="an update without permission",
        why="refused while the stream runs, naming the operation and its parameters",
        cites="B23",
        history=SMALL,
        steps=(Start(), Drain(), Write((Update((1,)),)), Drain(), Stop()),
        fails="DELTA_SOURCE_TABLE_IGNORE_CHANGES",
        rows=tuple(range(6)),
    ),
    Script(
        name="an overwrite without permission",
        why="refused: it removes and adds",
        cites="B23",
        history=CHANGED,
        options={"startingVersion": "9"},
        fails="DELTA_SOURCE_TABLE_IGNORE_CHANGES",
        rows=(),
    ),
    Script(
        name="changes before the start",
        why="the snapshot has the remaining rows, whatever happened before it",
        cites="B15",
        history=CHANGED,
        options={"maxFilesPerTrigger": "2"},
        rows=(9, 10, 11),
    ),
    Script(
        name="a restore ignored",
        why="files are added back under their old names and delivered again",
        cites="B23",
        history=(Create(), Append(2, files=2), Append(1), Delete((0,)), Restore(2)),
        options={"ignoreChanges": "true", "startingVersion": "0"},
        steps=(Start(), Batches(1), Stop()),
        rows=(0, 1, 2, 0),
    ),
)
