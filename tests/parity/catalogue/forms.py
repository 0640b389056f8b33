# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Every form in which a log may be kept, whole or damaged, with and without what it replaces."""

from parity.catalogue.histories import SMALL, V2_CHECKPOINTS
from parity.history import Append, Checkpoint, Create, History, Op
from parity.script import Batches, Drain, Script, Start, Step, Stop, Write
from parity.surgery import CleanUp, Compact, Put

SIX: History = (Create(), *(Append(2, files=2) for _ in range(3)))
"""Rows 0 to 5 in versions 1 to 3."""
V2: History = (
    Create(),
    V2_CHECKPOINTS,
    *(Append(2, files=2) for _ in range(2)),
)
"""Rows 0 to 3 in versions 2 and 3."""
LIMIT = {"maxFilesPerTrigger": "1"}


def kept(name: str, why: str, *history: Op, more: int, cites: str = "H33") -> Script:
    """Half the snapshot is read, then the table goes on by `more` rows, then all the rest is."""
    return Script(
        name=name,
        why=why,
        cites=cites,
        history=history,
        options=LIMIT,
        steps=going_on(more),
    )


def going_on(more: int) -> tuple[Step, ...]:
    later = Write((Append(2, files=2), Append(more)))
    return (Start(), Batches(1), Stop(), later, Start(), Drain(), Stop())


SCRIPTS = (
    kept(
        "a checkpoint in one file, and the commits before it gone",
        "the snapshot is what the checkpoint says",
        *(*SIX, Checkpoint(), CleanUp(3)),
        more=1,
    ),
    kept(
        "a checkpoint in parts, and the commits before it gone",
        "the snapshot is what all parts say together",
        *(*SIX, Checkpoint(part_size=2), CleanUp(3)),
        more=2,
    ),
    kept(
        "a v2 checkpoint of JSON with sidecars, and the commits before it gone",
        "the files of the snapshot are in the sidecars",
        *(*V2, Checkpoint(part_size=2, form="json"), CleanUp(3)),
        more=3,
    ),
    kept(
        "a v2 checkpoint of Parquet with sidecars, and the commits before it gone",
        "the files of the snapshot are in the sidecars",
        *(*V2, Checkpoint(part_size=2, form="parquet"), CleanUp(3), Append(1)),
        more=4,
    ),
    kept(
        "compacted commits beside the commits",
        "a compacted file is no commit",
        *(*SIX, Compact(1, 3), Append(1)),
        more=5,
    ),
    kept(
        "a checkpoint, then compacted commits, and the commits before it gone",
        "a snapshot may be read from both",
        *(*SIX, Checkpoint(), *(Append(1) for _ in range(3)), Compact(4, 6), CleanUp(3)),
        more=6,
    ),
    Script(
        name="compacted commits, from a version",
        why="a stream reads the commits themselves",
        cites="H33",
        history=(*SIX, Compact(0, 3), Append(1)),
        options={"startingVersion": "0", **LIMIT},
        steps=going_on(1),
    ),
    kept(
        "a last checkpoint that is garbage",
        "the log is listed instead",
        *(*SIX, Checkpoint(), Put("_last_checkpoint", "{")),
        more=7,
        cites="H34",
    ),
    kept(
        "a last checkpoint that is not there",
        "what a pointer points at may be gone",
        *(*SIX, Put("_last_checkpoint", '{"version":2,"size":5}'), Append(2)),
        more=8,
        cites="H34",
    ),
    kept(
        "a checkpoint in parts, of which one is missing",
        "an incomplete checkpoint is none: the commits say all",
        *(*SIX, Put(f"{3:020d}.checkpoint.{1:010d}.{2:010d}.parquet")),
        more=9,
        cites="H34",
    ),
    kept(
        "other files in the log",
        "only a name of digits alone is a commit, and only in the folder itself",
        *(
            *SIX,
            Put(f"sub/{4:020d}.json", "{"),
            Put(f"{4:020d}.json.tmp", "{"),
            Put(f"_{4:020d}.json", "{"),
        ),
        more=10,
        cites="H34",
    ),
    Script(
        name="other files in the log, from a version",
        why="the same without a snapshot",
        cites="H34",
        history=(*SMALL, Put(f"sub/{3:020d}.json", "{"), Put(f"{4:020d}.json.tmp", "{")),
        options={"startingVersion": "0", **LIMIT},
        steps=going_on(2),
    ),
)
