# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The states of schema tracking."""

from docs.rows import Rows

TRACKING: Rows = {
    "off: no location": ("a column added while running",),
    "off: by Delta's conf": ("tracked, with tracking disabled",),
    "empty, a new stream": (
        "a new stream starts its schema log with the schema at its start version",
        "a new stream that starts at an older schema ends at once, and the next run starts",
        "tracked: from the snapshot",
    ),
    "empty, a resumed stream": (
        "a stream without a schema log resumes with the one schema that reads everything planned",
        "a stream without a schema log ends if that schema is not the latest",
        "tracking turned on later",
    ),
    "tracking": ("tracked: two changes with data between", "tracked, with failOnDataLoss off"),
    "a change is reached: a batch before it, an empty batch after it, a new entry": (
        "a batch ends before a schema change, an empty one after it, and the first commit ends "
        "the run",
        "a run that dies at any call around a schema change is continued by the next run",
        "tracked: stopped at every batch around a change",
    ),
    "after a change, until its entry is written": (
        "after a change that is not in the schema log, the stream waits until a commit "
        "ends the run",
    ),
    "restart, analysis": ("tracked: two changes in a row",),
    "restart, execution": (
        "tracked: a column of another type",
        "tracked: a column dropped, acknowledged by its version",
    ),
    "restart, around a change": ("tracked: stopped before offsets were written around a change",),
    "a new stream, and the schema changes before it has read anything": (
        "a stream that has read nothing replaces its entry if its snapshot has a newer schema",
        "tracked: a newer snapshot before the first batch",
    ),
}
