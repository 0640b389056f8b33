# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Change feeds: every change as a row, with its type, version and time. FED has most types."""

from parity.catalogue.histories import FED, MARKED_FED, SMALL
from parity.history import Alter, Append, Create, Delete, Optimize, Restore, Update
from parity.log_edits import Bare
from parity.script import Drain, Script, Start, Stop, Write

FEED = {"readChangeFeed": "true"}
ZERO = {**FEED, "startingVersion": "0"}
ONE = {**ZERO, "maxFilesPerTrigger": "1"}
TWO = {**ZERO, "maxFilesPerTrigger": "2"}
EMPTY = Create(properties=("enableChangeDataFeed",))
ON = Alter("SET TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')")
OFF = Alter("SET TBLPROPERTIES ('delta.enableChangeDataFeed' = 'false')")
TIMED = Alter("SET TBLPROPERTIES ('delta.enableInCommitTimestamps' = 'true')")


SCRIPTS = (
    Script(
        name="every change from version 0",
        why="inserts, both images of an update, deletes, each with its version and time",
        cites="H20, H23, H26",
        history=FED,
        options=ZERO,
    ),
    Script(
        name="every change, with the old option name",
        why="readChangeData is the same option",
        cites="H20",
        history=FED[:4],
        options={"readChangeData": "true", "startingVersion": "0"},
    ),
    Script(
        name="every change, one file a batch",
        why="a commit with change files is not split, and is read once more to move past it",
        cites="H20, H23",
        history=FED,
        options=ONE,
    ),
    Script(
        name="every change, two files a batch",
        why="the limit counts change files and file actions alike",
        cites="H20, H15",
        history=FED,
        options=TWO,
    ),
    Script(
        name="a snapshot after changes",
        why="changes before the snapshot are not delivered",
        cites="H29",
        history=FED,
        options=FEED,
    ),
    Script(
        name="changes from latest",
        why="only later changes",
        cites="H8, H28",
        history=FED[:3],
        options={**FEED, "startingVersion": "latest"},
        steps=(Start(), Drain(), Write((Append(2), Update((6,)))), Drain(), Stop()),
        rows=(1006, 7),
    ),
    Script(
        name="changes from a time",
        why="the first commit at or after it",
        cites="H20",
        history=FED,
        options={**FEED, "startingTimestamp": "2024-01-01 09:30:00"},
        rows=(9, 10),
    ),
    Script(
        name="changes from a version that does not exist",
        why="refused as in a plain stream",
        cites="H28",
        history=FED[:3],
        options={**FEED, "startingVersion": "3"},
        fails="DELTA_VERSION_NOT_FOUND",
        rows=(),
    ),
    Script(
        name="changes of a table without a change feed",
        why="the change feed was never on",
        cites="H25",
        history=SMALL,
        options=ZERO,
        fails="DELTA_MISSING_CHANGE_DATA",
        rows=(),
    ),
    Script(
        name="changes from before the feed was on",
        why="the error names the versions that have none",
        cites="H25",
        history=(Create(), Append(2), ON, Append(1)),
        options=ZERO,
        fails="DELTA_MISSING_CHANGE_DATA",
        rows=(),
    ),
    Script(
        name="changes from where the feed was turned on",
        why="from there on it is complete",
        cites="H25",
        history=(Create(), Append(2), ON, Append(1)),
        options={**FEED, "startingVersion": "2"},
        rows=(2,),
    ),
    Script(
        name="the feed is turned off while it runs",
        why="changes before that are delivered, then it fails",
        cites="H25",
        history=(EMPTY, Append(2)),
        options=ZERO,
        steps=(Start(), Drain(), Write((Append(1), OFF, Append(1))), Drain(), Stop()),
        fails="DELTA_MISSING_CHANGE_DATA",
        rows=(0, 1, 2),
    ),
    Script(
        name="a property set between changes",
        why="a metadata change is no data change",
        cites="H24",
        history=(EMPTY, Append(2), Alter("SET TBLPROPERTIES ('a' = 'b')"), Update((0,))),
        options=ONE,
    ),
    Script(
        name="change files excluded by name",
        why="a commit whose change files are excluded does not fall back on its other files",
        cites="H27",
        history=FED,
        options={**ZERO, "excludeRegex": "_change_data"},
        rows=(*range(7), 9, 10),
    ),
    Script(
        name="all files excluded from a feed",
        why="the offset moves on without changes",
        cites="H27",
        history=FED,
        options={**ONE, "excludeRegex": "parquet"},
        rows=(),
    ),
    Script(
        name="skip and ignore options with a feed",
        why="the options have no effect: a change feed delivers all changes",
        cites="H20",
        history=FED,
        options={**ZERO, "skipChangeCommits": "true", "ignoreDeletes": "true"},
    ),
    Script(
        name="a feed of commits without data",
        why="nearly all commits change no data",
        cites="H6, H28",
        history=(EMPTY, Bare(), Bare(), Append(2, files=2), Optimize(), Bare()),
        options=ONE,
    ),
    Script(
        name="changes of a restored table",
        why="restored files are inserts again, under the same path",
        cites="H30",
        history=(EMPTY, Append(2, files=2), Delete((0,)), Append(1), Restore(1)),
        options=ZERO,
    ),
    Script(
        name="changes with in-commit timestamps",
        why="from there on the time of a change is the in-commit timestamp",
        cites="H26",
        history=(EMPTY, Append(1), TIMED, Append(1), Update((0,))),
        options=ZERO,
    ),
    Script(
        name="changes by deletion vectors",
        why="only the rows that a vector newly deletes are deletes",
        cites="H21, H22",
        history=MARKED_FED,
        options=ZERO,
    ),
    Script(
        name="changes by deletion vectors, one file a batch",
        why="the remove and add of a file with a new vector stay in one batch",
        cites="H21, H22",
        history=MARKED_FED,
        options=ONE,
    ),
)
