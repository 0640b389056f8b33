# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Every kind of checkpoint and log file, intact or damaged, with and without older commits."""

from parity.catalogue.histories import SMALL, V2_CHECKPOINTS
from parity.history import Append, Checkpoint, Create, History, Op
from parity.log_edits import CleanUp, Compact, Put
from parity.script import Batches, Drain, Script, Start, Step, Stop, Write

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
    """Half of the snapshot is read, then commits follow, one with `more` rows; then all is read."""
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
        "a checkpoint in one file, without the commits before it",
        "the snapshot is read from the checkpoint",
        *(*SIX, Checkpoint(), CleanUp(3)),
        more=1,
    ),
    kept(
        "a multi-part checkpoint, without the commits before it",
        "the snapshot is read from all parts",
        *(*SIX, Checkpoint(part_size=2), CleanUp(3)),
        more=2,
    ),
    kept(
        "a v2 checkpoint of JSON with sidecars, without the commits before it",
        "the files of the snapshot are in the sidecars",
        *(*V2, Checkpoint(part_size=2, form="json"), CleanUp(3)),
        more=3,
    ),
    kept(
        "a v2 checkpoint of Parquet with sidecars, without the commits before it",
        "the files of the snapshot are in the sidecars",
        *(*V2, Checkpoint(part_size=2, form="parquet"), CleanUp(3), Append(1)),
        more=4,
    ),
    kept(
        "a log compaction file next to its commits",
        "a log compaction file is no commit",
        *(*SIX, Compact(1, 3), Append(1)),
        more=5,
    ),
    kept(
        "a checkpoint, then a log compaction file, without the commits before it",
        "the snapshot may be read from both",
        *(*SIX, Checkpoint(), *(Append(1) for _ in range(3)), Compact(4, 6), CleanUp(3)),
        more=6,
    ),
    Script(
        name="a log compaction file, from a version",
        why="a stream reads the commits themselves",
        cites="H33",
        history=(*SIX, Compact(0, 3), Append(1)),
        options={"startingVersion": "0", **LIMIT},
        steps=going_on(1),
    ),
    kept(
        "an invalid _last_checkpoint",
        "the log is listed instead",
        *(*SIX, Checkpoint(), Put("_last_checkpoint", "{")),
        more=7,
        cites="H34",
    ),
    kept(
        "a _last_checkpoint without its checkpoint",
        "the checkpoint that it points to may be deleted",
        *(*SIX, Put("_last_checkpoint", '{"version":2,"size":5}'), Append(2)),
        more=8,
        cites="H34",
    ),
    kept(
        "a multi-part checkpoint with a missing part",
        "an incomplete checkpoint is ignored: the commits have everything",
        *(*SIX, Put(f"{3:020d}.checkpoint.{1:010d}.{2:010d}.parquet")),
        more=9,
        cites="H34",
    ),
    kept(
        "other files in the log",
        "only a file named by digits alone, in the folder itself, is a commit",
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
