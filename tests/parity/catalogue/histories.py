# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Histories shared by several scripts, since writing them takes most of the time."""

from parity.history import (
    Alter,
    Append,
    Checkpoint,
    Create,
    Delete,
    History,
    Insert,
    Merge,
    Optimize,
    Overwrite,
    Touch,
    Update,
)
from parity.log_edits import Bare

SMALL: History = (Create(), Append(3, files=3), Append(3, files=3))
"""Rows 0 to 5, a row a file, in versions 1 and 2."""

TAIL: History = (Append(5, files=5), Append(2, files=2), Append(2))
"""Rows 6 to 14 in versions 3 to 5 when it follows SMALL."""

CHANGED: History = (
    *(Create(), Append(4, files=2), Append(2)),
    *(
        Delete((4, 5)),
        Append(1),
        Delete((0,)),
        Append(1),
        Update((2,)),
        Append(1),
        Overwrite(2, files=2),
        Append(1),
    ),
)
"""Rows 0 to 5; a file deleted (3), row 6, half a file deleted (5), row 7, half a file updated (7),
row 8, everything overwritten with rows 9 and 10 (9), row 11 (10)."""

CALM: History = (
    *(
        Create(),
        Bare(),
        Append(2, files=2),
        Optimize(),
        Bare(),
        Bare(),
        Append(2, files=2),
        Optimize(),
    ),
    *(Append(1), Bare(), Bare(), Bare()),
)
"""Rows 0 to 4 between commits without new data: versions 1, 3 to 5, 7 and 9 to 11."""

KEPT: History = (
    Create(),
    *(Append(2, files=2) for _ in range(5)),
    Checkpoint(part_size=4),
    Append(2, files=2),
)
"""Rows 0 to 11, two a version from 1 to 6; a checkpoint in parts at 5."""

FED: History = (
    *(Create(properties=("enableChangeDataFeed",)), Append(4, files=2), Append(2)),
    *(Update((0,)), Delete((2, 3)), Delete((1,)), Append(1), Merge(moved=(4,), gone=(5,), rows=2)),
    *(Touch((6,)), Optimize(), Bare(), Append(2, files=2)),
)
"""With a change feed. Rows 0 to 5; one updated (3), a file deleted (4), half a file deleted (5),
row 6, a MERGE of all kinds with rows 7 and 8 (7), a MERGE of nothing (8), an OPTIMIZE (9), nothing
(10), rows 9 and 10 in two files (11)."""

MARKED: History = (
    *(Create(properties=("enableDeletionVectors",)), Append(6, files=2), Append(2)),
    *(Delete((1,)), Append(1), Delete((0, 4)), Update((3,)), Append(2, files=2)),
)
"""With deletion vectors. Rows 0 to 7; row 1 deleted (3), row 8, rows 0 and 4 deleted, one of them
in the file of row 1 (5), row 3 updated (6), rows 9 and 10 in two files (7)."""

MARKED_FED: History = (
    Create(properties=("enableDeletionVectors", "enableChangeDataFeed")),
    *MARKED[1:],
)
"""The same with a change feed."""

COLUMNS = "id BIGINT, name STRING, n INT"
V2_CHECKPOINTS = Alter("SET TBLPROPERTIES ('delta.checkpointPolicy' = 'v2')")
MAPPING = "SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')"

NAMED: History = (Create(columns=COLUMNS), Insert("'a', 1", rows=2), Insert("'b', 2"))
"""Rows 0 to 2 in versions 1 and 2."""

MAPPED: History = (*NAMED[:2], Alter(MAPPING), NAMED[2])
"""The same with columns mapped by name from version 2 on; row 2 in version 3."""

WIDE: History = (
    NAMED[0],
    Alter("SET TBLPROPERTIES ('delta.enableTypeWidening' = 'true')"),
    *NAMED[1:],
)
"""Rows 0 to 2 in versions 2 and 3, with type widening."""
