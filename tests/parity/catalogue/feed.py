# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Change feeds: every change as a row, with its kind, version and time. FED has most kinds."""

from parity.catalogue.histories import FED, MARKED_FED, SMALL
from parity.history import Alter, Append, Create, Delete, Optimize, Restore, Update
from parity.script import Drain, Script, Start, Stop, Write
from parity.surgery import Bare

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
        name="every change under the old name",
        why="readChangeData is the same option",
        cites="H20",
        history=FED[:4],
        options={"readChangeData": "true", "startingVersion": "0"},
    ),
    Script(
        name="every change, one file a batch",
        why="a commit with change files comes whole, and is read once more to leave it",
        cites="H20, H23",
        history=FED,
        options=ONE,
    ),
    Script(
        name="every change, two files a batch",
        why="the budget counts change files and file actions alike",
        cites="H20, H15",
        history=FED,
        options=TWO,
    ),
    Script(
        name="a snapshot of what is left",
        why="what happened before the snapshot is not told",
        cites="H29",
        history=FED,
        options=FEED,
    ),
    Script(
        name="changes from latest",
        why="only what comes",
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
        name="changes from a version that is not there",
        why="refused like a plain stream's",
        cites="H28",
        history=FED[:3],
        options={**FEED, "startingVersion": "3"},
        fails="DELTA_VERSION_NOT_FOUND",
        rows=(),
    ),
    Script(
        name="changes of a table that has none",
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
        name="changes from where the feed went on",
        why="from there on it is whole",
        cites="H25",
        history=(Create(), Append(2), ON, Append(1)),
        options={**FEED, "startingVersion": "2"},
        rows=(2,),
    ),
    Script(
        name="the feed goes off while it runs",
        why="what lies before is delivered, then it stops",
        cites="H25",
        history=(EMPTY, Append(2)),
        options=ZERO,
        steps=(Start(), Drain(), Write((Append(1), OFF, Append(1))), Drain(), Stop()),
        fails="DELTA_MISSING_CHANGE_DATA",
        rows=(0, 1, 2),
    ),
    Script(
        name="a property beside changes",
        why="a change of metadata between changes is no change of data",
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
        why="the offset moves on with nothing to tell",
        cites="H27",
        history=FED,
        options={**ONE, "excludeRegex": "parquet"},
        rows=(),
    ),
    Script(
        name="the policies mean nothing to a feed",
        why="changes are what a change feed is about",
        cites="H20",
        history=FED,
        options={**ZERO, "skipChangeCommits": "true", "ignoreDeletes": "true"},
    ),
    Script(
        name="a feed without data to tell",
        why="nothing but commits that say nothing",
        cites="H6, H28",
        history=(EMPTY, Bare(), Bare(), Append(2, files=2), Optimize(), Bare()),
        options=ONE,
    ),
    Script(
        name="changes of a restored table",
        why="files that come back are inserts again, under the same path",
        cites="H30",
        history=(EMPTY, Append(2, files=2), Delete((0,)), Append(1), Restore(1)),
        options=ZERO,
    ),
    Script(
        name="changes with times in the commits",
        why="from there on the time of a change is the commit's own",
        cites="H26",
        history=(EMPTY, Append(1), TIMED, Append(1), Update((0,))),
        options=ZERO,
    ),
    Script(
        name="changes by deletion vectors",
        why="what a vector takes away is a delete, and only what it takes away anew",
        cites="H21, H22",
        history=MARKED_FED,
        options=ZERO,
    ),
    Script(
        name="changes by deletion vectors, one file a batch",
        why="the two halves of a marked file are never parted",
        cites="H21, H22",
        history=MARKED_FED,
        options=ONE,
    ),
)
