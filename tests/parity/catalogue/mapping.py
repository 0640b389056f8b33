# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Column mapping and other changes in streams without schema tracking."""

from parity.catalogue.histories import MAPPED, MAPPING, NAMED
from parity.catalogue.schemas import (
    ADD,
    DELTA,
    DROP,
    FROM_ZERO,
    LONGER,
    RENAME,
    UNSAFE_START,
    running,
)
from parity.harness.schema_conditions import CHANGED, OPTIONS, TRACK
from parity.history import Alter, Append, Checkpoint, Create, Delete, Insert
from parity.log_edits import CleanUp
from parity.script import Batches, Drain, Script, Start, Stop, Trigger, Write

SCRIPTS = (
    Script(
        name="mapped columns",
        why="names are those of the table, also for files written before the mapping",
        cites="H45, B54",
        history=(*MAPPED, *RENAME),
    ),
    Script(
        name="mapped columns by their ids",
        why="column mapping by id",
        cites="H45, B54",
        history=(
            Create(columns="id BIGINT, name STRING, n INT", mapping="id"),
            Insert("'a', 1", rows=2),
            *RENAME,
        ),
    ),
    Script(
        name="column mapping turned on while running",
        why="no column is renamed yet, so the run continues",
        cites="H45, B54",
        history=NAMED,
        steps=running(Alter(MAPPING), Insert("'c', 3")),
    ),
    Script(
        name="a mapped column added while running",
        why="as without mapping",
        cites="H45, H40, B54",
        history=MAPPED,
        steps=running(*ADD),
        fails=CHANGED,
    ),
    Script(
        name="a column renamed while running",
        why="only a stream with schema tracking can continue",
        cites="H46, B54",
        history=MAPPED,
        steps=running(*RENAME),
        fails=TRACK,
        rows=(0, 1, 2),
    ),
    Script(
        name="a column dropped while running",
        why="only a stream with schema tracking can continue",
        cites="H46, B54",
        history=MAPPED,
        steps=running(*DROP),
        fails=TRACK,
        rows=(0, 1, 2),
    ),
    Script(
        name="a column renamed long ago",
        why="files written before it have the old name",
        cites="H46, B54",
        history=(*MAPPED, *RENAME),
        options={"startingVersion": "1"},
        fails=TRACK,
        rows=(),
    ),
    Script(
        name="a column renamed since the start",
        why="only the schema of the start shows the change: the newest one is already the new one",
        cites="H46, B54",
        history=(
            Create(columns="id BIGINT, name STRING, n INT", mapping="name"),
            Insert("'a', 1"),
            *RENAME,
        ),
        options={"startingVersion": "1"},
        fails=TRACK,
        rows=(),
    ),
    Script(
        name="column mapping turned on and a column renamed while running",
        why="the plan of the run has no column mapping",
        cites="H46, B54",
        history=NAMED,
        steps=running(Alter(MAPPING), Insert("'c', 3"), *RENAME),
        fails=TRACK,
        rows=(*range(4),),
        allows="Good data first",
    ),
    Script(
        name="a column dropped, tracking disabled",
        why="the error does not recommend schema tracking",
        cites="H46, B54",
        history=MAPPED,
        steps=(
            Start(confs={DELTA + "streaming.schemaTracking.enabled": "false"}),
            Drain(),
            Write(DROP),
            Drain(),
            Stop(),
        ),
        fails="DELTA_STREAMING_INCOMPATIBLE_SCHEMA_CHANGE",
        rows=(0, 1, 2),
    ),
    Script(
        name="a column dropped, unsafe reads allowed",
        why="a conf of Delta allows it if the files can be read",
        cites="H46, B54",
        history=(*MAPPED, *DROP),
        options={"startingVersion": "1"},
        steps=(
            Start(
                confs={
                    DELTA
                    + "streaming.unsafeReadOnIncompatibleColumnMappingSchemaChanges.enabled": "true"
                }
            ),
            Drain(),
            Stop(),
        ),
    ),
    Script(
        name="a start whose schema is lost",
        why="without the first commits the old column names are unknown",
        cites="H46, B54",
        history=(*MAPPED, *RENAME, Checkpoint(), CleanUp(3)),
        options={"startingVersion": "3"},
        fails="DELTA_STREAMING_CHECK_COLUMN_MAPPING_NO_SNAPSHOT",
        rows=(),
    ),
    Script(
        name="a start whose schema is not compared",
        why="a conf of Delta skips the comparison",
        cites="H42, B36",
        history=(*NAMED, LONGER, Insert("'c', 3")),
        options={"startingVersion": "1"},
        steps=(Start(confs={UNSAFE_START: "true"}), Drain(), Stop()),
    ),
    Script(
        name="deletion vectors turned on while running",
        why="a protocol change is no schema change",
        cites="H47",
        history=(Create(), Append(4), Append(2)),
        options={"ignoreChanges": "true"},
        steps=(
            Start(),
            Drain(),
            Write(
                (Alter("SET TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')"), Delete((1,)))
            ),
            Drain(),
            Stop(),
        ),
        rows=(*range(6), 0, 2, 3),
        allows="The first deletion vectors of a table, made while a stream runs",
    ),
    Script(
        name="a column added, with AvailableNow",
        why="the whole backlog, up to the change",
        cites="H40, B53",
        history=NAMED,
        options={"maxFilesPerTrigger": "1"},
        steps=(
            Start(trigger=Trigger.AVAILABLE_NOW),
            Batches(1),
            Write(ADD),
            Drain(),
            Stop(),
            Start(trigger=Trigger.AVAILABLE_NOW),
            Drain(),
            Stop(),
        ),
        fails=CHANGED,
        allows="After the bound of AvailableNow",
    ),
    Script(
        name="a column added to a change feed",
        why="a change feed also ends at it",
        cites="H48",
        history=(
            Create(columns="id BIGINT, name STRING", properties=("enableChangeDataFeed",)),
            Insert("'a'"),
        ),
        options={"readChangeFeed": "true", **FROM_ZERO},
        steps=running(Alter("ADD COLUMNS (city STRING)"), Insert("'b', 'x'")),
        fails=OPTIONS,
    ),
)
