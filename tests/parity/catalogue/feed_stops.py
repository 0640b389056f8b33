# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Change feeds that are stopped and resumed, and those that end by themselves."""

from parity.catalogue.feed import EMPTY, FEED, ONE, TWO, ZERO
from parity.catalogue.histories import FED, MARKED_FED, SMALL, TAIL
from parity.history import Append, Checkpoint
from parity.script import Batches, Drain, Script, Start, Step, Stop, Trigger, Write


def stopped(after: int, *, forget: bool) -> tuple[Step, ...]:
    return (Start(), Batches(after), Stop(forget=forget), Start(), Drain(), Stop())


SCRIPTS = (
    Script(
        name="every change, a byte a batch",
        why="the first group of files always fits into a batch",
        cites="H20, H15",
        history=FED,
        options={**ZERO, "maxBytesPerTrigger": "1b"},
    ),
    Script(
        name="changes after the snapshot",
        why="the snapshot is delivered as inserts with its version and time, then the changes",
        cites="H20, H29",
        history=FED[:3],
        options={**FEED, "maxFilesPerTrigger": "2"},
        steps=(Start(), Drain(), Write(FED[3:]), Drain(), Stop()),
    ),
    Script(
        name="a commit of appends is split",
        why="it continues after the last file delivered",
        cites="H20, H16",
        history=(EMPTY, Append(5, files=5), Append(2, files=2)),
        options=TWO,
        steps=stopped(1, forget=True),
    ),
    Script(
        name="stopped before a commit with change files",
        why="the next commit is not split",
        cites="H1, H20",
        history=FED,
        options=TWO,
        steps=stopped(2, forget=True),
    ),
    Script(
        name="stopped after change files",
        why="the offset is at the last change file, not after the commit",
        cites="H1, H20",
        history=FED,
        options=ONE,
        steps=stopped(5, forget=True),
    ),
    Script(
        name="stopped with changes planned",
        why="the planned changes are replayed as planned",
        cites="H1, H20",
        history=FED,
        options=ONE,
        steps=stopped(5, forget=False),
    ),
    Script(
        name="stopped inside the snapshot of a feed",
        why="the inserts continue after the last file delivered",
        cites="H2, H29",
        history=FED[:4],
        options={**FEED, "maxFilesPerTrigger": "1"},
        steps=(
            *(Start(), Batches(1), Stop(forget=True)),
            *(Write((*FED[4:6], Checkpoint(), *FED[6:])), Start(), Drain(), Stop()),
        ),
    ),
    Script(
        name="stopped before the first changes were committed",
        why="without a start offset the end of the first batch determines the snapshot",
        cites="H1, H29",
        history=FED[:6],
        options=FEED,
        steps=(Start(), Stop(), Write(FED[6:]), Start(), Drain(), Stop()),
    ),
    Script(
        name="changes with AvailableNow",
        why="it ends at its bound, in batches",
        cites="H4, H5",
        history=FED,
        options=TWO,
        steps=(Start(Trigger.AVAILABLE_NOW), Drain(), Stop()),
    ),
    Script(
        name="changes with AvailableNow while the table is written",
        why="a change feed keeps its bound too",
        cites="H5",
        history=FED[:5],
        options=ONE,
        steps=(Start(Trigger.AVAILABLE_NOW), Batches(1), Write(FED[5:]), Drain(), Stop()),
        rows=(1, 4, 5, 1000),
    ),
    Script(
        name="changes with Once",
        why="everything in one batch",
        cites="H4",
        history=FED,
        options=ONE,
        steps=(Start(Trigger.ONCE), Drain(), Stop()),
    ),
    Script(
        name="changes by deletion vectors, two files a batch",
        why="a remove and its add are not split even if one of them would fit",
        cites="H21, H22",
        history=MARKED_FED,
        options=TWO,
        steps=stopped(2, forget=True),
    ),
    Script(
        name="a snapshot of a feed with deletion vectors",
        why="each remaining row is delivered once, as an insert",
        cites="H29, H31",
        history=MARKED_FED,
        options={**FEED, "maxFilesPerTrigger": "2"},
    ),
    Script(
        name="a feed turned on at a restart",
        why="an offset inside a commit indexes other actions from then on",
        cites="H9",
        history=(EMPTY, *SMALL[1:], *TAIL),
        options={"maxFilesPerTrigger": "2", "startingVersion": "0"},
        steps=(Start(), Batches(1), Stop(forget=True), Start(options=FEED), Drain(), Stop()),
    ),
)
