# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The diagrams of docs/explanation, by the names of their files in docs/pictures."""

from __future__ import annotations

from docs.drawing import Arrow, Box, Label, picture

PLANNING = picture(
    760,
    250,
    "A batch is planned in latestOffset; getBatch uses the same files",
    Label(20, 30, "Spark calls", "start", bold=True),
    Box(20, 45, 130, 50, ["latestOffset"], "strong"),
    Box(20, 170, 130, 50, ["getBatch"], "strong"),
    Arrow((85, 95), (85, 168)),
    Label(190, 30, "What the source does", "start", bold=True),
    Box(190, 45, 120, 50, ["look for the", "next commit"]),
    Box(340, 45, 120, 50, ["parse it, once"]),
    Box(490, 45, 120, 50, ["keep, skip", "or refuse it"]),
    Box(640, 45, 100, 50, ["fill the batch", "to its limits"]),
    Arrow((150, 70), (188, 70)),
    Arrow((310, 70), (338, 70)),
    Arrow((460, 70), (488, 70)),
    Arrow((610, 70), (638, 70)),
    Box(490, 170, 250, 50, ["the plan: files, end offset,", "and why the batch ends"], "done"),
    Arrow((690, 95), (690, 168)),
    Arrow((490, 195), (152, 195)),
    Label(320, 187, "the files, not read from the log again"),
    Label(320, 214, "after one check that the last commit is still the same"),
)

OFFSETS = picture(
    760,
    220,
    "An offset is a version and an index in it",
    Label(20, 30, "The table's log", "start", bold=True),
    Box(20, 45, 230, 60, ["version 4, the initial snapshot", "files 0 to 1199"], "done"),
    Box(265, 45, 150, 60, ["version 5", "files 0 to 3"], "done"),
    Box(430, 45, 150, 60, ["version 6", "no files"], "done"),
    Box(595, 45, 145, 60, ["version 7", "files 0 to 9"], "strong"),
    Arrow((640, 165), (640, 107)),
    Label(640, 185, "version 7, index 2:"),
    Label(640, 203, "3 of its files are read"),
    Arrow((590, 165), (590, 107)),
    Label(540, 185, "version 7, index -1:", "end"),
    Label(540, 203, "all of 6 is read, nothing of 7", "end"),
    Arrow((200, 165), (200, 107)),
    Label(20, 185, "version 4, index 999, isStartingVersion:", "start"),
    Label(20, 203, "1000 files of the snapshot are read", "start"),
)

EXACTLY_ONCE = picture(
    760,
    270,
    "Between Delta's commit and Spark's, a crash makes Spark pass the batch again",
    Box(20, 45, 130, 60, ["plan batch 12:", "offsets/12"], "strong"),
    Box(190, 45, 130, 60, ["write the rows", "as data files"]),
    Box(360, 45, 170, 60, ["commit to the table:", "files and (query, 12)"], "done"),
    Box(570, 45, 170, 60, ["record the batch:", "commits/12"], "strong"),
    Arrow((150, 75), (188, 75)),
    Arrow((320, 75), (358, 75)),
    Arrow((530, 75), (568, 75)),
    Label(85, 30, "Spark", bold=True),
    Label(360, 30, "the sink", bold=True),
    Label(655, 30, "Spark", bold=True),
    Arrow((265, 150), (265, 108), dashed=True),
    Label(265, 170, "killed here: the table has no"),
    Label(265, 188, "batch 12, so it is written again;"),
    Label(265, 206, "files without a commit are invisible"),
    Arrow((550, 150), (550, 80), dashed=True),
    Label(575, 170, "killed here: the table says (query, 12),"),
    Label(575, 188, "so the repeated batch is skipped"),
    Label(380, 250, "Both ends rely on the same plan: batch 12 has the same rows each time."),
)

SCHEMA_TRACKING = picture(
    760,
    240,
    "A schema change ends the run; the next one continues with the new schema",
    Label(20, 30, "run 1, schema A", "start", bold=True),
    Box(20, 45, 150, 50, ["versions 5, 6"], "done"),
    Box(200, 45, 190, 50, ["version 7 changes", "the schema to B"], "faint"),
    Box(420, 45, 320, 50, ["schema log: B from version 7", "the run ends: METADATA_EVOLUTION"]),
    Arrow((170, 70), (198, 70)),
    Arrow((390, 70), (418, 70)),
    Label(20, 140, "run 2, schema B", "start", bold=True),
    Box(
        20,
        155,
        340,
        50,
        ["reads the schema log; a renamed or a dropped", "column must be acknowledged first"],
    ),
    Box(390, 155, 200, 50, ["the files of version 7"], "done"),
    Box(620, 155, 120, 50, ["version 8, …"], "done"),
    Arrow((580, 95), (300, 153), dashed=True),
    Label(470, 138, "run_until starts it again, or you do", "start"),
    Arrow((360, 180), (388, 180)),
    Arrow((590, 180), (618, 180)),
)

LATE_EVENT = picture(
    760,
    270,
    "A late event of January 12 cuts one period of the pen's price into three",
    Label(20, 30, "before", "start", bold=True),
    Label(20, 55, "events", "start"),
    Label(130, 55, "10", bold=True),
    Label(550, 55, "10", bold=True),
    Label(20, 92, "rows", "start"),
    Box(130, 70, 610, 36, ["10"], "done"),
    Label(20, 150, "after", "start", bold=True),
    Label(20, 175, "events", "start"),
    Label(130, 175, "10", bold=True),
    Label(424, 175, "12, arrives late", bold=True),
    Label(550, 175, "10", bold=True),
    Label(20, 212, "rows", "start"),
    Box(130, 190, 294, 36, ["10"], "done"),
    Box(424, 190, 126, 36, ["12"], "strong"),
    Box(550, 190, 190, 36, ["10"], "done"),
    Label(130, 252, "January 5"),
    Label(424, 252, "January 12"),
    Label(550, 252, "January 15"),
)

DIAGRAMS = {
    "diagram-late-event.svg": LATE_EVENT,
    "diagram-planning.svg": PLANNING,
    "diagram-offsets.svg": OFFSETS,
    "diagram-exactly-once.svg": EXACTLY_ONCE,
    "diagram-schema-tracking.svg": SCHEMA_TRACKING,
}
