# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Changes of the table's schema over streams that track schemas."""

from parity.catalogue.histories import MAPPED, NAMED, WIDE
from parity.catalogue.schemas import ADD, DELTA, DROP, RENAME, RETYPE, WIDEN
from parity.history import Alter, Append, Create, Delete, Insert, Op
from parity.script import Batches, Drain, Script, Start, Step, Stop, Trigger, Uncommit, Write

LOCATION = {"schemaTrackingLocation": "<checkpoint>/schema"}
TRACKED = {**LOCATION, "startingVersion": "0"}
EVOLVED = "DELTA_STREAMING_METADATA_EVOLUTION"
BLOCKED = "DELTA_STREAMING_CANNOT_CONTINUE_PROCESSING_POST_SCHEMA_EVOLUTION"
TRACK_WIDENING = {DELTA + "typeWidening.enableStreamingSchemaTracking": "true"}

RUN: tuple[Step, ...] = (Start(), Drain(), Stop())
"""To the end, or to the next change."""


def runs(count: int, **options: str) -> tuple[Step, ...]:
    return (Start(options=options), Drain(), Stop()) * count


def changing(*ops: Op) -> tuple[Step, ...]:
    """The table changes while the stream waits."""
    return (*RUN, Start(), Drain(), Write(ops), Drain(), Stop())


NOTE = Alter("SET TBLPROPERTIES ('delta.logRetentionDuration' = 'interval 60 days')")
VECTORS = Alter("SET TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')")

SCRIPTS = (
    Script(
        name="tracked: a column added while running",
        why="a batch up to the change, an empty one, an entry, and a restart reads on",
        cites="H49, B55",
        history=NAMED,
        options=TRACKED,
        steps=(Start(), Drain(), Write(ADD), Drain(), Stop(), *RUN),
        fails=EVOLVED,
    ),
    Script(
        name="tracked: a column added long ago",
        why="the log begins with the schema of the start, which is not the newest",
        cites="H49, B55",
        history=(*NAMED, *ADD),
        options=TRACKED,
        steps=runs(4),
        fails=EVOLVED,
    ),
    Script(
        name="tracked: from the snapshot",
        why="the log begins with the schema of the snapshot",
        cites="H49, B55",
        history=(*NAMED, *ADD),
        options=LOCATION,
        steps=(
            Start(),
            Drain(),
            Write((Alter("ADD COLUMNS (d INT)"), Insert("'e', 5, 'y', 6"))),
            Drain(),
            Stop(),
            *runs(2),
        ),
        fails=EVOLVED,
    ),
    Script(
        name="tracked: a column renamed, not acknowledged, then acknowledged",
        why="the stream stays stopped until its reader says that it knows",
        cites="H50, B56",
        history=MAPPED,
        options=LOCATION,
        steps=(
            *(Start(), Drain(), Write(RENAME), Drain(), Stop()),
            *RUN,
            *RUN,
            *runs(2, allowSourceColumnRename="always"),
        ),
        fails=EVOLVED,
    ),
    Script(
        name="tracked: a column dropped, acknowledged by its version",
        why="an acknowledgement may be for one change alone",
        cites="H50, B56",
        history=MAPPED,
        options=LOCATION,
        steps=(
            *(Start(), Drain(), Write(DROP), Drain(), Stop()),
            *runs(1, allowSourceColumnDrop="3"),
            *runs(2, allowSourceColumnDrop="4"),
        ),
        fails=EVOLVED,
    ),
    Script(
        name="tracked: a column dropped, acknowledged by the session",
        why="a conf acknowledges for every stream of the session",
        cites="H50, B56",
        history=MAPPED,
        options=LOCATION,
        steps=(
            *(Start(), Drain(), Write(DROP), Drain(), Stop()),
            *(Start(confs={DELTA + "streaming.allowSourceColumnDrop": "always"}), Drain(), Stop()),
            *(
                Start(confs={DELTA + "streaming.allowSourceColumnRenameAndDrop": "always"}),
                Drain(),
                Stop(),
            ),
        ),
        fails=EVOLVED,
    ),
    Script(
        name="tracked: a column widened",
        why="a widened type is a change to acknowledge where it is tracked",
        cites="H50, B56",
        history=WIDE,
        options=LOCATION,
        steps=(
            *(Start(confs=TRACK_WIDENING), Drain(), Write(WIDEN), Drain(), Stop()),
            *(Start(confs=TRACK_WIDENING), Drain(), Stop()),
            *(
                Start(confs=TRACK_WIDENING, options={"allowSourceColumnTypeChange": "always"}),
                Drain(),
                Stop(),
            ),
        ),
        fails=EVOLVED,
    ),
    Script(
        name="tracked: a column of another type",
        why="no acknowledgement lets a changed type pass",
        cites="H50, B56",
        history=NAMED,
        options=LOCATION,
        steps=(Start(), Drain(), Write((RETYPE, Insert("'c', 'x'"))), Drain(), Stop(), *runs(2)),
        fails=EVOLVED,
        rows=(0, 1, 2),
    ),
    Script(
        name="tracked: a property of Delta's, and one of the user's",
        why="how Delta treats the table is part of what is tracked",
        cites="H51, B57",
        history=NAMED,
        options=LOCATION,
        steps=(
            *(Start(), Drain()),
            *(Write((Alter("SET TBLPROPERTIES ('mine' = '1')"), Insert("'c', 3"))), Drain()),
            *(Write((NOTE, Insert("'d', 4"))), Drain(), Stop()),
            *runs(2),
        ),
        fails=EVOLVED,
    ),
    Script(
        name="tracked: a protocol",
        why="what the protocol asks is part of what is tracked",
        cites="H51, B57",
        history=(Create(), Append(4), Append(2)),
        options={**LOCATION, "ignoreChanges": "true"},
        steps=(Start(), Drain(), Write((VECTORS, Delete((1,)))), Drain(), Stop(), *runs(2)),
        fails=EVOLVED,
        rows=(*range(6), 0, 2, 3),
    ),
    Script(
        name="tracked: two changes in a row",
        why="changes without data between them are one entry after a restart",
        cites="H51, B57",
        history=NAMED,
        options=LOCATION,
        steps=(
            *(Start(), Drain()),
            *(
                Write((ADD[0], Alter("ADD COLUMNS (d INT)"), Insert("'e', 5, 'y', 6"))),
                Drain(),
                Stop(),
            ),
            *runs(2),
        ),
        fails=EVOLVED,
    ),
    Script(
        name="tracked: two changes with data between",
        why="each is an entry of its own",
        cites="H51, B57",
        history=(*NAMED, *ADD, Alter("ADD COLUMNS (d INT)"), Insert("'e', 5, 'y', 6")),
        options=TRACKED,
        steps=runs(7),
        fails=EVOLVED,
    ),
    Script(
        name="tracked: stopped at every batch around a change",
        why="wherever a run dies, the next one goes on",
        cites="H52, B55",
        history=(*NAMED, *ADD),
        options={**TRACKED, "maxFilesPerTrigger": "1"},
        steps=(Start(), Batches(1), Stop()) * 8 + RUN,
        fails=EVOLVED,
    ),
    Script(
        name="tracked: planned and forgotten around a change",
        why="an offset that was never written is planned again",
        cites="H52, B55",
        history=(*NAMED, *ADD),
        options={**TRACKED, "maxFilesPerTrigger": "1"},
        steps=(Start(), Batches(1), Stop(forget=True)) * 8 + RUN,
        fails=EVOLVED,
    ),
    Script(
        name="tracked: done and not said so around a change",
        why="the batch at a change is asked for again",
        cites="H52, B55",
        history=(*NAMED, *ADD),
        options={**TRACKED, "maxFilesPerTrigger": "1"},
        steps=(*RUN, *(Start(), Drain(), Stop(), Uncommit()) * 2, *RUN, *RUN),
        fails=EVOLVED,
    ),
    Script(
        name="tracked from later on",
        why="a checkpoint without a log gets one, if one schema reads what was planned",
        cites="H53, B57",
        history=NAMED,
        steps=(
            *(Start(), Drain(), Stop(), Write((Insert("'c', 3"),))),
            *(*runs(3, **LOCATION), Write(ADD), *runs(3, **LOCATION)),
        ),
        fails=EVOLVED,
    ),
    Script(
        name="tracked from later on, in the middle of what was planned",
        why="the newest schema of the range reads all of it",
        cites="H53, B57",
        history=NAMED,
        options={"maxFilesPerTrigger": "1", "startingVersion": "0"},
        steps=(Start(), Batches(1), Stop(), Write(ADD), *runs(4, **LOCATION)),
        fails=EVOLVED,
    ),
    Script(
        name="tracked, and losses allowed",
        why="a lost commit could hold a change",
        cites="H53, B57",
        history=NAMED,
        options={**LOCATION, "failOnDataLoss": "false"},
        steps=runs(2),
        fails="IllegalArgumentException",
        rows=(),
    ),
    Script(
        name="tracked outside the checkpoint",
        why="the log belongs to one checkpoint",
        cites="H54",
        history=NAMED,
        options={"schemaTrackingLocation": "<checkpoint>-elsewhere"},
        fails="DELTA_STREAMING_SCHEMA_LOCATION_NOT_UNDER_CHECKPOINT",
        rows=(),
    ),
    Script(
        name="tracked, though forbidden",
        why="a conf of Delta's turns tracking off",
        cites="H54",
        history=NAMED,
        options=LOCATION,
        steps=(Start(confs={DELTA + "streaming.schemaTracking.enabled": "false"}), Drain(), Stop()),
        fails="UnsupportedOperationException",
        rows=(),
    ),
    Script(
        name="tracked, with AvailableNow",
        why="a run ends at its bound or at a change, whichever comes first",
        cites="H49, B55",
        history=(*NAMED, *ADD),
        options={**TRACKED, "maxFilesPerTrigger": "1"},
        steps=(Start(trigger=Trigger.AVAILABLE_NOW), Drain(), Stop()) * 5,
        fails=EVOLVED,
    ),
    Script(
        name="tracked, with Once",
        why="one batch a run, the change between them",
        cites="H49, B55",
        history=(*NAMED, *ADD),
        options=TRACKED,
        steps=(Start(trigger=Trigger.ONCE), Drain(), Stop()) * 6,
        fails=EVOLVED,
    ),
    Script(
        name="tracked: a change feed",
        why="a change feed stops in front of a change as well",
        cites="H48",
        history=(
            Create(columns="id BIGINT, name STRING", properties=("enableChangeDataFeed",)),
            Insert("'a'"),
        ),
        options={**TRACKED, "readChangeFeed": "true"},
        steps=(
            *(Start(), Drain()),
            *(Write((Alter("ADD COLUMNS (city STRING)"), Insert("'b', 'x'"))), Drain(), Stop()),
            *runs(2),
        ),
        fails=EVOLVED,
    ),
    Script(
        name="tracked: a change feed within limits",
        why="a change ends a batch that has room, and waits where there is none",
        cites="H48",
        history=(
            Create(columns="id BIGINT, name STRING", properties=("enableChangeDataFeed",)),
            *(Insert("'a'"), Insert("'b'"), Alter("ADD COLUMNS (city STRING)"), Insert("'c', 'x'")),
        ),
        options={**TRACKED, "readChangeFeed": "true", "maxFilesPerTrigger": "1"},
        steps=runs(5),
        fails=EVOLVED,
    ),
    Script(
        name="tracked: the snapshot moved",
        why="a stream that read nothing yet begins with a newer snapshot, and so must its log",
        cites="H55",
        history=MAPPED,
        options=LOCATION,
        steps=(
            *(Start(), Stop(forget=True), Write(RENAME)),
            *runs(3),
            *runs(2, allowSourceColumnRename="always"),
        ),
        fails=EVOLVED,
    ),
    Script(
        name="tracked: under two names",
        why="the old name of the option, and a log of its own for each name of a source",
        cites="H54",
        history=NAMED,
        options={"schemaLocation": "<checkpoint>/schema", "streamingSourceTrackingId": "first"},
        steps=(Start(), Drain(), Write(ADD), Drain(), Stop(), *RUN),
        fails=EVOLVED,
    ),
)
