# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The states of schema tracking."""

from shown.rows import Rows

TRACKING: Rows = {
    "off: no location": ("a column added while running",),
    "off: by Delta's conf": ("tracked, though forbidden",),
    "empty, a new stream": (
        "a new stream begins its log with the schema of where it begins",
        "a new stream at an older schema ends at once, and the next one begins",
        "tracked: from the snapshot",
    ),
    "empty, a resumed stream": (
        "a stream that kept no log resumes with the one schema that reads all that was planned",
        "a stream that kept no log ends if its one schema is not the newest",
        "tracked from later on",
    ),
    "tracking": ("tracked: two changes with data between", "tracked, and losses allowed"),
    "barrier, post, evolve": (
        "a batch ends before a change, an empty one behind it, and a commit ends the run",
        "a run that dies before any call of the way over a change goes on from where it was",
        "tracked: stopped at every batch around a change",
    ),
    "blocked": ("behind a change not written down the stream stays until a commit ends it",),
    "restart, analysis": ("tracked: two changes in a row",),
    "restart, execution": (
        "tracked: a column of another type",
        "tracked: a column dropped, acknowledged by its version",
    ),
    "resume": ("tracked: planned and forgotten around a change",),
    "snapshot moved": (
        "a snapshot newer than the schema of a stream that read nothing replaces the entry",
        "tracked: the snapshot moved",
    ),
}
