# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Commits that are deleted: thanks to a checkpoint, only the stream is affected."""

from parity.catalogue.histories import KEPT, SMALL
from parity.history import Append
from parity.log_edits import Bare, CleanUp, Damage, Lose, Tear, Vanish
from parity.script import Batches, Drain, Place, Script, Start, Stop, Write

GAP = (*KEPT, Lose(3))
THREE = {"maxFilesPerTrigger": "3", "startingVersion": "0"}
CARELESS = {"failOnDataLoss": "false"}
BEHIND = (Start(), Batches(1), Stop(at=Place.COMMIT, forget=True))
"""Rows 0 to 2 are delivered, half of version 2."""
FURTHER = (Start(), Batches(2), Stop(at=Place.BOUNDARY, forget=True))
"""Rows 0 to 5 are delivered, up to version 3."""
PLANNED = (Start(), Batches(1), Stop(at=Place.COMMIT))
"""The same, and rows 3 to 5 are planned."""
RESUMED = (Start(), Drain(), Stop())

SCRIPTS = (
    Script(
        name="a commit in the middle is missing",
        why="a gap stops the stream, with the version expected and the version found",
        cites="B29, H11",
        history=GAP,
        options={"startingVersion": "3"},
        fails="DELTA_MISSING_FILES_UNEXPECTED_VERSION",
        rows=(),
    ),
    Script(
        name="a commit in the middle is missing, allowed",
        why="failOnDataLoss=false continues after the gap",
        cites="B29",
        history=GAP,
        options={**CARELESS, "startingVersion": "0", "maxFilesPerTrigger": "3"},
        rows=(*range(4), *range(6, 12)),
    ),
    Script(
        name="the next commit is lost while stopped",
        why="a gap right after the checkpointed offset",
        cites="B29",
        history=KEPT,
        options=THREE,
        steps=(*BEHIND, Write((Lose(3),)), *RESUMED),
        fails="DELTA_MISSING_FILES_UNEXPECTED_VERSION",
        rows=tuple(range(4)),
        allows="Good data first",
    ),
    Script(
        name="the next commit is lost while stopped, allowed",
        why="the half-read commit is finished, the gap is skipped",
        cites="B29",
        history=KEPT,
        options={**THREE, **CARELESS},
        steps=(*BEHIND, Write((Lose(3),)), *RESUMED),
        rows=(*range(4), *range(6, 12)),
    ),
    Script(
        name="the last commits read are cleaned up",
        why="on a restart the engine requests the last batch again",
        cites="B29",
        history=KEPT,
        options=THREE,
        steps=(*FURTHER, Write((CleanUp(4),)), *RESUMED),
        fails="DELTA_MISSING_FILES_UNEXPECTED_VERSION",
        rows=tuple(range(6)),
    ),
    Script(
        name="the last commit of a planned batch is lost",
        why="a planned batch whose end is deleted is never delivered in part",
        cites="B30",
        history=KEPT,
        options={**THREE, **CARELESS},
        steps=(*PLANNED, Write((Lose(3), Lose(4))), *RESUMED),
        fails="DELTA_STREAMING_TRAILING_COMMIT_MISSING",
        rows=tuple(range(3)),
    ),
    Script(
        name="the half-read snapshot is cleaned up",
        why="a snapshot that cannot be rebuilt is not replaced by a newer one",
        cites="B32, S9",
        history=KEPT[:4],
        options={"maxFilesPerTrigger": "4"},
        steps=(
            *(Start(), Batches(1), Stop(at=Place.SNAPSHOT, forget=True)),
            *(Write((*KEPT[4:], CleanUp(4))), *RESUMED),
        ),
        fails="DELTA_LOG_FILE_NOT_FOUND_FOR_STREAMING_SOURCE",
        rows=tuple(range(4)),
    ),
    Script(
        name="a data file is missing",
        why="its rows cannot be read: the batch fails and is not committed",
        cites="H62, B90",
        history=KEPT,
        options=THREE,
        steps=(*BEHIND, Write((Vanish(3),)), *RESUMED),
        allows="Data file that is gone",
        fails="FAILED_READ_FILE.FILE_NOT_EXIST",
        rows=(0, 1, 2),
    ),
    Script(
        name="a data file is missing, ignored",
        why="a conf of Spark ignores missing files",
        cites="H62",
        history=KEPT,
        options=THREE,
        steps=(
            *(*BEHIND, Write((Vanish(3),))),
            *(Start(confs={"spark.sql.files.ignoreMissingFiles": "true"}), Drain(), Stop()),
        ),
        rows=(*range(5), *range(6, 12)),
    ),
    Script(
        name="a data file is damaged",
        why="its rows cannot be read: the batch fails and is not committed",
        cites="B92",
        history=KEPT,
        options=THREE,
        steps=(*BEHIND, Write((Damage(3),)), *RESUMED),
        allows="Data file that cannot be read",
        fails="FAILED_READ_FILE.NO_HINT",
        rows=(0, 1, 2),
    ),
    Script(
        name="an empty commit file",
        why="its rows are not skipped silently",
        cites="B27",
        history=SMALL,
        steps=(Start(), Drain(), Write((Bare(()),)), Drain(), Stop()),
        allows="Empty commit file",
    ),
    Script(
        name="a truncated commit",
        why="data before it is delivered, and nothing of the commit itself",
        cites="B25, B26, H13",
        history=(*SMALL, Append(2), Tear(20)),
        options={"startingVersion": "0"},
        fails="JsonMappingException",
        rows=tuple(range(6)),
        allows="Commit that cannot be read",
    ),
)
