# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Changes of the table's schema over streams that do not track schemas."""

from parity.catalogue.histories import MAPPED, MAPPING, NAMED, WIDE
from parity.history import Alter, Append, Checkpoint, CleanUp, Create, Delete, Insert, Op, Remake
from parity.script import Batches, Drain, Script, Start, Step, Stop, Trigger, Write

CHANGED = "DELTA_SCHEMA_CHANGED_WITH_VERSION"
OPTIONS = "DELTA_SCHEMA_CHANGED_WITH_STARTING_OPTIONS"
TRACK = "DELTA_STREAMING_INCOMPATIBLE_SCHEMA_CHANGE_USE_SCHEMA_LOG"
DELTA = "spark.databricks.delta."
UNSAFE_START = DELTA + "streaming.unsafeReadOnIncompatibleSchemaChangesDuringStreamStart.enabled"
FROM_ZERO = {"startingVersion": "0"}

AGAIN: tuple[Step, ...] = (Stop(), Start(), Drain(), Stop())
"""The next run."""


def running(*ops: Op) -> tuple[Step, ...]:
    """The table changes while a stream waits, which is then started again."""
    return (Start(), Drain(), Write(ops), Drain(), *AGAIN)


RETYPE = Remake(r"\"n\",\"type\":\"integer\"", r"\"n\",\"type\":\"string\"")
LONGER = Remake(r"\"n\",\"type\":\"integer\"", r"\"n\",\"type\":\"long\"")
PARTITION = Remake('"partitionColumns":[]', '"partitionColumns":["part"]')
ADD = (Alter("ADD COLUMNS (city STRING)"), Insert("'c', 3, 'x'"))
RENAME = (Alter("RENAME COLUMN name TO label"), Insert("'c', 3"))
DROP = (Alter("DROP COLUMN name"), Insert("3"))
WIDEN = (Alter("ALTER COLUMN n TYPE BIGINT"), Insert("'c', 3000000000"))

SCRIPTS = (
    Script(
        name="a column added while running",
        why="the run ends there, and the next one reads on with the new column",
        cites="H40, B53",
        history=NAMED,
        steps=running(*ADD),
        fails=CHANGED,
    ),
    Script(
        name="a column added long ago",
        why="files from before it have nulls there",
        cites="H41",
        history=(*NAMED, *ADD),
        options=FROM_ZERO,
    ),
    Script(
        name="a column added between two runs, inside a batch's range",
        why="what was planned is planned again over the change, and read with the new schema",
        cites="H41",
        history=NAMED,
        options={**FROM_ZERO, "maxFilesPerTrigger": "1"},
        steps=(Start(), Batches(1), Stop(), Write(ADD), Start(), Drain(), Stop()),
    ),
    Script(
        name="a comment, a property and a default",
        why="what only writers and people need is no change",
        cites="H40, B38",
        history=NAMED,
        steps=running(
            Alter("ALTER COLUMN name COMMENT 'of whom'"),
            Alter("SET TBLPROPERTIES ('a' = 'b')"),
            Alter("SET TBLPROPERTIES ('delta.feature.allowColumnDefaults' = 'supported')"),
            Alter("ALTER COLUMN name SET DEFAULT 'z'"),
            Insert("'c', 3"),
        ),
    ),
    Script(
        name="a column that may be null from now on",
        why="a stream that was told there are no nulls must not meet one",
        cites="H40, B53",
        history=(Create(columns="id BIGINT, name STRING NOT NULL"), Insert("'a'")),
        steps=running(Alter("ALTER COLUMN name DROP NOT NULL"), Insert("NULL")),
        fails=CHANGED,
    ),
    Script(
        name="a column that may be null from now on, allowed",
        why="a conf of Delta's lets it pass",
        cites="H40, B53",
        history=(Create(columns="id BIGINT, name STRING NOT NULL"), Insert("'a'")),
        steps=(
            Start(confs={DELTA + "streaming.unsafeReadOnNullabilityChange.enabled": "true"}),
            Drain(),
            Write((Alter("ALTER COLUMN name DROP NOT NULL"), Insert("'b'"))),
            Drain(),
            Stop(),
        ),
    ),
    Script(
        name="a table replaced by other columns",
        why="another type cannot be read by the plan, and not after a restart from before it",
        cites="H42, B36",
        history=NAMED,
        steps=running(RETYPE, Insert("'c', 'x'")),
        fails=CHANGED,
        rows=(0, 1, 2),
    ),
    Script(
        name="a table replaced by other columns, from before it",
        why="the change lies between the start and now, and the newest schema is not that of then",
        cites="H42, B36",
        history=(*NAMED, RETYPE, Insert("'c', 'x'")),
        options={**FROM_ZERO, "ignoreChanges": "true"},
        fails=OPTIONS,
        rows=(),
    ),
    Script(
        name="a table replaced with another partitioning",
        why="values of a partition column are not in the files",
        cites="H43",
        history=(Create(columns="id BIGINT, part STRING"), Append(2, part="a")),
        steps=running(PARTITION, Append(2, part="b")),
        fails=CHANGED,
        rows=(0, 1),
    ),
    Script(
        name="a table replaced with another partitioning, allowed",
        why="a conf of Delta's lets it pass",
        cites="H43",
        history=(Create(columns="id BIGINT, part STRING"), Append(2, part="a")),
        steps=(
            Start(confs={DELTA + "streaming.unsafeReadOnPartitionColumnChanges.enabled": "true"}),
            Drain(),
            Write((PARTITION, Append(2, part="b"))),
            Drain(),
            Stop(),
        ),
    ),
    Script(
        name="a column widened while running",
        why="the run ends there, and the next one reads old and new files with the wide type",
        cites="H44",
        history=WIDE,
        steps=running(*WIDEN),
        fails=CHANGED,
    ),
    Script(
        name="a column widened long ago",
        why="old files are read with the wide type",
        cites="H44",
        history=(*WIDE, *WIDEN),
        options=FROM_ZERO,
    ),
    Script(
        name="a column widened, to be tracked",
        why="a conf asks for tracking of widened types",
        cites="H44",
        history=WIDE,
        steps=(
            Start(confs={DELTA + "typeWidening.enableStreamingSchemaTracking": "true"}),
            Drain(),
            Write(WIDEN),
            Drain(),
            Stop(),
        ),
        fails=TRACK,
        rows=(0, 1, 2),
    ),
    Script(
        name="mapped columns",
        why="names are those of the table, also for files from before the mapping",
        cites="H45, B54",
        history=(*MAPPED, *RENAME),
    ),
    Script(
        name="mapped columns by their ids",
        why="the other kind of mapping",
        cites="H45, B54",
        history=(
            Create(columns="id BIGINT, name STRING, n INT", mapping="id"),
            Insert("'a', 1", rows=2),
            *RENAME,
        ),
    ),
    Script(
        name="a column mapped from now on",
        why="nothing is called otherwise yet, so the run goes on",
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
        why="only a stream that tracks schemas can go past it",
        cites="H46, B54",
        history=MAPPED,
        steps=running(*RENAME),
        fails=TRACK,
        rows=(0, 1, 2),
    ),
    Script(
        name="a column dropped while running",
        why="only a stream that tracks schemas can go past it",
        cites="H46, B54",
        history=MAPPED,
        steps=running(*DROP),
        fails=TRACK,
        rows=(0, 1, 2),
    ),
    Script(
        name="a column renamed long ago",
        why="the files from before it had it under another name",
        cites="H46, B54",
        history=(*MAPPED, *RENAME),
        options={"startingVersion": "1"},
        fails=TRACK,
        rows=(),
    ),
    Script(
        name="a column renamed since the start",
        why="nothing but the schema of the start tells: the newest is what the change says",
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
        name="columns mapped and one renamed while running",
        why="the plan of the run knows no mapping yet",
        cites="H46, B54",
        history=NAMED,
        steps=running(Alter(MAPPING), Insert("'c', 3"), *RENAME),
        fails=TRACK,
        rows=(*range(4),),
        allows="Good data first",
    ),
    Script(
        name="a column dropped, tracking forbidden",
        why="the error does not offer what is turned off",
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
        name="a column dropped, read on unsafely",
        why="a conf of Delta's lets it pass where the files can be read at all",
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
        name="a start that cannot be compared any more",
        why="without the first commits nobody knows what the columns were called then",
        cites="H46, B54",
        history=(*MAPPED, *RENAME, Checkpoint(), CleanUp(3)),
        options={"startingVersion": "3"},
        fails="DELTA_STREAMING_CHECK_COLUMN_MAPPING_NO_SNAPSHOT",
        rows=(),
    ),
    Script(
        name="a start that is not to be compared",
        why="a conf of Delta's leaves the comparison out",
        cites="H42, B36",
        history=(*NAMED, LONGER, Insert("'c', 3")),
        options={"startingVersion": "1"},
        steps=(Start(confs={UNSAFE_START: "true"}), Drain(), Stop()),
    ),
    Script(
        name="vectors turned on while running",
        why="a protocol that asks more of readers is no change of schema",
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
        allows="Behind the bound of AvailableNow",
    ),
    Script(
        name="a column added to a change feed",
        why="a change feed ends at it as well",
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
