# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Outdated DataFrames, narrowed types, and schema logs shared by two streams."""

from parity.catalogue.histories import MAPPED, NAMED, WIDE
from parity.catalogue.schemas import ADD, DELTA, FROM_ZERO, RENAME, WIDEN
from parity.catalogue.tracking import LOCATION, RUN, TRACK_WIDENING, TRACKED, runs
from parity.harness.schema_conditions import CHANGED, EVOLVED, OPTIONS, TRACK
from parity.history import Alter, Create, Insert, Op, Restore
from parity.script import Amend, Drain, Occupy, Script, Start, Step, Stop, Trigger, Write

DROP_NULL = {DELTA + "streaming.createDataFrame.dropNullColumns": "true"}
VOID = (Create(columns="id BIGINT, v VOID"), Insert("NULL", rows=2))


def restarted(*ops: Op) -> tuple[Step, ...]:
    """The table changes while a stream waits; the same DataFrame is restarted, then a new one."""
    again = (Start(again=True), Drain(), Stop())
    return (Start(), Drain(), Write(ops), Drain(), Stop(), *again, *RUN)


SCRIPTS = (
    Script(
        name="a column added, and the old DataFrame restarted",
        why="its schema is the table's when it was loaded",
        cites="H57",
        history=NAMED,
        steps=restarted(*ADD),
        fails=CHANGED,
    ),
    Script(
        name="a column widened, and the old DataFrame restarted",
        why="its schema is the table's when it was loaded",
        cites="H57",
        history=WIDE,
        steps=restarted(*WIDEN),
        fails=CHANGED,
    ),
    Script(
        name="a column made nullable, and the old DataFrame restarted",
        why="its schema is the table's when it was loaded",
        cites="H57",
        history=(Create(columns="id BIGINT, name STRING NOT NULL"), Insert("'a'")),
        steps=restarted(Alter("ALTER COLUMN name DROP NOT NULL"), Insert("NULL")),
        fails=CHANGED,
    ),
    Script(
        name="a column renamed, and the old DataFrame restarted",
        why="no DataFrame can continue over a rename",
        cites="H57",
        history=MAPPED,
        steps=restarted(*RENAME),
        fails=TRACK,
        rows=(0, 1, 2),
    ),
    Script(
        name="tracked: a column added, and the old DataFrame restarted",
        why="a DataFrame loaded before the schema log entry does not have it",
        cites="H57",
        history=NAMED,
        options=LOCATION,
        steps=restarted(*ADD),
        fails=EVOLVED,
    ),
    Script(
        name="a type narrowed again",
        why="a stream cannot continue over a restore to before its column was widened",
        cites="H58",
        history=(*WIDE, *WIDEN),
        options={"ignoreChanges": "true"},
        steps=(Start(), Drain(), Write((Restore(3), Insert("'d', 4"))), Drain(), Stop(), *RUN),
        fails=CHANGED,
        rows=(0, 1, 2, 3),
    ),
    Script(
        name="tracked: a type narrowed again",
        why="no acknowledgement allows a narrowed type",
        cites="H58",
        history=(*WIDE, *WIDEN),
        options={**LOCATION, "ignoreChanges": "true"},
        steps=(
            *(Start(confs=TRACK_WIDENING), Drain()),
            *(Write((Restore(3), Insert("'d', 4"))), Drain(), Stop()),
            *runs(2, allowSourceColumnTypeChange="always"),
        ),
        fails=EVOLVED,
        rows=(0, 1, 2, 3),
    ),
    Script(
        name="two streams of one query",
        why="each has its own offset, and both end at the change",
        cites="H59",
        history=NAMED,
        options=FROM_ZERO,
        steps=(
            *(Start(twice=True), Drain(), Write(ADD), Drain(), Stop()),
            *(Start(twice=True, trigger=Trigger.AVAILABLE_NOW), Drain(), Stop()),
        ),
        fails=OPTIONS,
        rows=(*range(4), *range(4)),
    ),
    Script(
        name="tracked: two streams of one query with one schema log",
        why="an entry of one stream differs from what the other has read",
        cites="H59",
        history=NAMED,
        options=LOCATION,
        steps=(Start(twice=True), Drain(), Stop()),
        fails="DELTA_STREAMING_SCHEMA_LOCATION_CONFLICT",
        rows=(),
    ),
    Script(
        name="tracked: another stream has written the next entry",
        why="the second writer of a schema log is refused",
        cites="H59",
        history=NAMED,
        options=TRACKED,
        steps=(Start(), Drain(), Occupy(), Write(ADD), Drain(), Stop(), *RUN),
        fails="DELTA_STREAMING_SCHEMA_LOCATION_CONFLICT",
        rows=(0, 1, 2),
    ),
    Script(
        name="tracked: an entry with an invalid schema",
        why="a damaged schema is refused with its own condition",
        cites="H56",
        history=NAMED,
        options=TRACKED,
        steps=(*RUN, Amend('\\"type\\":\\"struct\\"', '\\"type\\":\\"none\\"'), *RUN),
        fails="DELTA_STREAMING_SCHEMA_LOG_PARSE_SCHEMA_FAILED",
    ),
    Script(
        name="tracked: an entry without its version line",
        why="an entry must begin with its format version",
        cites="H56",
        history=NAMED,
        options=TRACKED,
        steps=(*RUN, Amend("v1\n", ""), *RUN),
        fails="IllegalStateException",
    ),
    Script(
        name="a column of type VOID",
        why="it is not in data files, and nulls are delivered",
        cites="H60",
        history=VOID,
        options=FROM_ZERO,
        steps=(Start(), Drain(), Write((Insert("NULL"),)), Drain(), Stop()),
        unreadable_on=("4.0",),
    ),
    Script(
        name="a column of type VOID, left out",
        why="a conf of Delta leaves it out of the batches, but the query still expects it",
        cites="H60",
        history=VOID,
        options=FROM_ZERO,
        steps=(Start(confs=DROP_NULL), Drain(), Stop()),
        fails="AssertionError",
        rows=(),
    ),
)
