# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Schema changes in streams without schema tracking."""

from parity.catalogue.histories import NAMED, WIDE
from parity.harness.schema_conditions import CHANGED, OPTIONS, TRACK
from parity.history import Alter, Append, Create, Insert, Op
from parity.log_edits import Remake
from parity.script import Batches, Drain, Script, Start, Step, Stop, Write

DELTA = "spark.databricks.delta."
UNSAFE_START = DELTA + "streaming.unsafeReadOnIncompatibleSchemaChangesDuringStreamStart.enabled"
FROM_ZERO = {"startingVersion": "0"}

AGAIN: tuple[Step, ...] = (Stop(), Start(), Drain(), Stop())
"""The next run."""


def running(*ops: Op) -> tuple[Step, ...]:
    """The table changes while a stream waits, which is then restarted."""
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
        why="the run ends there, and the next one continues with the new column",
        cites="H40, B53",
        history=NAMED,
        steps=running(*ADD),
        fails=CHANGED,
    ),
    Script(
        name="a column added long ago",
        why="older files have nulls in it",
        cites="H41",
        history=(*NAMED, *ADD),
        options=FROM_ZERO,
    ),
    Script(
        name="a column added between two runs, inside a batch's range",
        why="the planned batch is planned again over the change, and read with the new schema",
        cites="H41",
        history=NAMED,
        options={**FROM_ZERO, "maxFilesPerTrigger": "1"},
        steps=(Start(), Batches(1), Stop(), Write(ADD), Start(), Drain(), Stop()),
    ),
    Script(
        name="a comment, a property and a default",
        why="metadata that does not affect readers is no schema change",
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
        name="a column made nullable",
        why="a stream over a NOT NULL column must not get nulls",
        cites="H40, B53",
        history=(Create(columns="id BIGINT, name STRING NOT NULL"), Insert("'a'")),
        steps=running(Alter("ALTER COLUMN name DROP NOT NULL"), Insert("NULL")),
        fails=CHANGED,
    ),
    Script(
        name="a column made nullable, allowed",
        why="a conf of Delta allows it",
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
        name="a column replaced by another type",
        why="the plan cannot read another type, nor can a restart from before the change",
        cites="H42, B36",
        history=NAMED,
        steps=running(RETYPE, Insert("'c', 'x'")),
        fails=CHANGED,
        rows=(0, 1, 2),
    ),
    Script(
        name="a column replaced by another type, starting before it",
        why="the change is between the start and now: the newest schema is not that of the start",
        cites="H42, B36",
        history=(*NAMED, RETYPE, Insert("'c', 'x'")),
        options={**FROM_ZERO, "ignoreChanges": "true"},
        fails=OPTIONS,
        rows=(),
    ),
    Script(
        name="a table repartitioned",
        why="values of a partition column are not in the files",
        cites="H43",
        history=(Create(columns="id BIGINT, part STRING"), Append(2, part="a")),
        steps=running(PARTITION, Append(2, part="b")),
        fails=CHANGED,
        rows=(0, 1),
    ),
    Script(
        name="a table repartitioned, allowed",
        why="a conf of Delta allows it",
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
        why="the run ends there, and the next one reads all files with the wide type",
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
        name="a column widened, tracking required",
        why="a conf requires tracking of widened types",
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
)
