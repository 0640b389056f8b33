# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""How much a batch reads, and how that affects adjacent commits without data."""

from parity.catalogue.histories import CALM, SMALL, TAIL
from parity.history import Append
from parity.script import Batches, Drain, Script, Start, Stop, Trigger, Write

NOW = (Start(Trigger.AVAILABLE_NOW), Drain(), Stop())

SCRIPTS = (
    Script(
        name="one file a batch",
        why="the smallest batches, through the snapshot",
        cites="B7, B9, B15",
        history=SMALL + TAIL,
        options={"maxFilesPerTrigger": "1"},
    ),
    Script(
        name="one file a batch from a version",
        why="the smallest batches, through commits, at every possible offset",
        cites="B7, B9",
        history=SMALL + TAIL,
        options={"maxFilesPerTrigger": "1", "startingVersion": "0"},
    ),
    Script(
        name="two files a batch",
        why="a limit that does not divide commits of three and five files evenly",
        cites="B7, B9",
        history=SMALL + TAIL,
        options={"maxFilesPerTrigger": "2", "startingVersion": "1"},
    ),
    Script(
        name="a thousand files a batch",
        why="the limit is never reached: one batch",
        cites="B7, S11",
        history=SMALL + TAIL,
        options={"maxFilesPerTrigger": "1000", "startingVersion": "0"},
    ),
    Script(
        name="a byte a batch",
        why="a file larger than the limit is read alone",
        cites="B8, H15",
        history=SMALL + TAIL,
        options={"maxBytesPerTrigger": "1b", "startingVersion": "1"},
    ),
    Script(
        name="a kilobyte a batch",
        why="the byte limit is exceeded by at most the last file",
        cites="B8",
        history=SMALL + TAIL,
        options={"maxBytesPerTrigger": "1k"},
    ),
    Script(
        name="files and bytes, bytes first",
        why="the first limit reached ends the batch",
        cites="B8",
        history=SMALL + TAIL,
        options={"maxBytesPerTrigger": "600b", "maxFilesPerTrigger": "4", "startingVersion": "0"},
    ),
    Script(
        name="files and bytes, files first",
        why="the first limit reached ends the batch",
        cites="B8",
        history=SMALL + TAIL,
        options={"maxBytesPerTrigger": "1m", "maxFilesPerTrigger": "4", "startingVersion": "1"},
    ),
    Script(
        name="no limit given",
        why="a thousand files by default, option names in any case",
        cites="B7, S11",
        history=SMALL + TAIL,
        options={"STARTINGVERSION": "2"},
        rows=tuple(range(3, 15)),
    ),
    Script(
        name="a full batch before commits without data",
        why="commits without data count nothing and are consumed up to the next file",
        cites="B9, B24, H17",
        history=CALM,
        options={"maxFilesPerTrigger": "1", "startingVersion": "0"},
    ),
    Script(
        name="a batch that ends with a commit before commits without data",
        why="the same when the limit is reached at a commit's last file",
        cites="B9, B24",
        history=CALM,
        options={"maxFilesPerTrigger": "2", "startingVersion": "0"},
    ),
    Script(
        name="AvailableNow in several batches",
        why="each batch keeps to the limit and the last ends at the bound",
        cites="B14, S1",
        history=SMALL + TAIL,
        options={"maxFilesPerTrigger": "2", "startingVersion": "0"},
        steps=NOW,
    ),
    Script(
        name="AvailableNow while the table is written",
        why="it ends at the newest version at its start",
        cites="B14, S1, H5",
        history=SMALL,
        options={"maxFilesPerTrigger": "2"},
        steps=(Start(Trigger.AVAILABLE_NOW), Batches(1), Write(TAIL), Drain(), Stop()),
        rows=tuple(range(6)),
    ),
    Script(
        name="AvailableNow twice",
        why="the second run reads just the commits in between",
        cites="B14, S1",
        history=SMALL,
        steps=(*NOW, Write((Append(2), Append(1))), *NOW, *NOW),
    ),
    Script(
        name="Once",
        why="everything in one batch whatever the limit",
        cites="B14, S1",
        history=SMALL + TAIL,
        options={"maxFilesPerTrigger": "1"},
        steps=(Start(Trigger.ONCE), Drain(), Stop()),
    ),
)
