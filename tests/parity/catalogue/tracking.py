# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Schema changes in streams with schema tracking."""

from parity.catalogue.histories import MAPPED, NAMED, WIDE
from parity.catalogue.schemas import ADD, DELTA, DROP, RENAME, RETYPE, WIDEN
from parity.harness.schema_conditions import EVOLVED
from parity.history import Alter, Append, Create, Delete, Insert, Op
from parity.script import Drain, Script, Start, Step, Stop, Write

LOCATION = {"schemaTrackingLocation": "<checkpoint>/schema"}
TRACKED = {**LOCATION, "startingVersion": "0"}
BLOCKED = "DELTA_STREAMING_CANNOT_CONTINUE_PROCESSING_POST_SCHEMA_EVOLUTION"
TRACK_WIDENING = {DELTA + "typeWidening.enableStreamingSchemaTracking": "true"}

RUN: tuple[Step, ...] = (Start(), Drain(), Stop())
"""A run to the end, or to the next change."""


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
        why="a batch up to the change, an empty one, a schema log entry, and a restart continues",
        cites="H49, B55",
        history=NAMED,
        options=TRACKED,
        steps=(Start(), Drain(), Write(ADD), Drain(), Stop(), *RUN),
        fails=EVOLVED,
    ),
    Script(
        name="tracked: a column added long ago",
        why="the schema log begins with the schema of the start, which is not the newest",
        cites="H49, B55",
        history=(*NAMED, *ADD),
        options=TRACKED,
        steps=runs(4),
        fails=EVOLVED,
    ),
    Script(
        name="tracked: from the snapshot",
        why="the schema log begins with the schema of the snapshot",
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
        why="the stream fails until the user acknowledges the change",
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
        why="an acknowledgement may be for a single change",
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
        why="if type changes are tracked, a widened type must be acknowledged",
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
        why="no acknowledgement allows a changed type",
        cites="H50, B56",
        history=NAMED,
        options=LOCATION,
        steps=(Start(), Drain(), Write((RETYPE, Insert("'c', 'x'"))), Drain(), Stop(), *runs(2)),
        fails=EVOLVED,
        rows=(0, 1, 2),
    ),
    Script(
        name="tracked: a property of Delta and one of the user",
        why="properties of Delta are tracked, those of users are not",
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
        name="tracked: a protocol change",
        why="the protocol is tracked",
        cites="H51, B57",
        history=(Create(), Append(4), Append(2)),
        options={**LOCATION, "ignoreChanges": "true"},
        steps=(Start(), Drain(), Write((VECTORS, Delete((1,)))), Drain(), Stop(), *runs(2)),
        fails=EVOLVED,
        rows=(*range(6), 0, 2, 3),
    ),
    Script(
        name="tracked: two changes in a row",
        why="a restart merges changes without data between them into one entry",
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
        why="each has its own entry",
        cites="H51, B57",
        history=(*NAMED, *ADD, Alter("ADD COLUMNS (d INT)"), Insert("'e', 5, 'y', 6")),
        options=TRACKED,
        steps=runs(7),
        fails=EVOLVED,
    ),
)
