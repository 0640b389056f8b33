# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Streams that track schemas, stopped anywhere, begun later, or over change feeds."""

from parity.catalogue.histories import MAPPED, NAMED
from parity.catalogue.schemas import ADD, DELTA, RENAME
from parity.catalogue.tracking import EVOLVED, LOCATION, RUN, TRACKED, runs
from parity.history import Alter, Create, Insert
from parity.script import Batches, Drain, Script, Start, Stop, Trigger, Uncommit, Write

SCRIPTS = (
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
