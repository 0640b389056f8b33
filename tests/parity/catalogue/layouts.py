# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Names of data files, partition values, and which files count."""

from parity.catalogue.histories import SMALL, TAIL
from parity.history import Append, Create, History
from parity.log_edits import Bare
from parity.script import Drain, Script, Start, Stop, Write

PARTS = Create("id BIGINT, part STRING", partitioned=True)
PLAIN: History = (
    PARTS,
    Append(2, files=2, part="a"),
    Append(2, files=2, part="b"),
    Append(2, part="a"),
)
ODD: History = (
    PARTS,
    *(
        Append(1, part=part)
        for part in ("a b", "50%", "%20", "ü/ß", "x=y", "'q'", "日本", "😀", "ﬃ")
    ),
)

SCRIPTS = (
    Script(
        name="a partitioned table",
        why="partition values are delivered with their rows",
        cites="B15, S3",
        history=PLAIN,
        options={"maxFilesPerTrigger": "2"},
        steps=(
            Start(),
            Drain(),
            Write((Append(1, part="c"), Append(1, part="a"))),
            Drain(),
            Stop(),
        ),
    ),
    Script(
        name="odd partition values in the snapshot",
        why="paths with spaces, percent signs and non-ASCII characters, in byte order",
        cites="B4, S3, H12",
        history=ODD,
        options={"maxFilesPerTrigger": "2"},
    ),
    Script(
        name="odd partition values in commits",
        why="the same from the commits",
        cites="B4, S3",
        history=ODD,
        options={"maxFilesPerTrigger": "2", "startingVersion": "0"},
    ),
    Script(
        name="files excluded by name",
        why="indexed and counted like the others, but not delivered",
        cites="B13, S12",
        history=PLAIN,
        options={"excludeRegex": "part=a", "maxFilesPerTrigger": "1"},
        rows=(2, 3),
    ),
    Script(
        name="files excluded by name from a version",
        why="a batch may be empty, its offset moves on",
        cites="B13, S12",
        history=PLAIN,
        options={"excludeRegex": "part=b", "maxFilesPerTrigger": "1", "startingVersion": "1"},
        rows=(0, 1, 4, 5),
    ),
    Script(
        name="everything excluded",
        why="an empty expression matches every name",
        cites="B13, S12",
        history=SMALL + TAIL,
        options={"excludeRegex": ""},
        rows=(),
    ),
    Script(
        name="no expression",
        why="an invalid expression is refused",
        cites="B13, S12",
        history=SMALL,
        options={"excludeRegex": "("},
        fails="DELTA_REGEX_OPT_SYNTAX_ERROR",
        rows=(),
    ),
    Script(
        name="an invalid number of files",
        why="a limit must be a positive whole number",
        cites="B7, D4",
        history=SMALL,
        options={"maxFilesPerTrigger": "0"},
        fails="DELTA_ILLEGAL_OPTION",
        rows=(),
    ),
    Script(
        name="an empty commit while it runs",
        why="a commit without data moves the offset in an empty batch",
        cites="B24, S4",
        history=SMALL,
        steps=(Start(), Drain(), Write((Bare(), Append(1))), Drain(), Stop()),
    ),
)
