# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Output modes: a batch is appended or replaces the existing rows."""

from parity.sink.catalogue.helpers import COUNTS, create, script
from parity.sink.script import Query, Sql, Unnoted

COMPLETE = (
    script("complete mode", Query(COUNTS, 3, mode="complete")),
    script(
        "complete mode, a replayed batch",
        Query(COUNTS, 2, mode="complete"),
        Unnoted(),
        Query(COUNTS, mode="complete"),
    ),
    script(
        "complete mode with overwriteSchema",
        create("k STRING, other LONG"),
        Query(COUNTS, 2, mode="complete", options={"overwriteSchema": "true"}),
    ),
    script(
        "complete mode keeps the schema",
        create("k STRING, n LONG"),
        Query(COUNTS, 2, mode="complete"),
    ),
    script(
        "append mode ignores overwriteSchema",
        create("text STRING"),
        Query(options={"overwriteSchema": "true"}),
        fails="DELTA_METADATA_MISMATCH",
    ),
    script(
        "complete mode into an append-only table",
        create("k LONG, n LONG", "TBLPROPERTIES ('delta.appendOnly'='true')"),
        Sql("INSERT INTO {table} VALUES (1, 1)"),
        Query(COUNTS, mode="complete"),
        fails="DELTA_CANNOT_MODIFY_APPEND_ONLY",
    ),
    script(
        "append mode into an append-only table",
        create(clause="TBLPROPERTIES ('delta.appendOnly'='true')"),
        Query(count=2),
    ),
    script("update mode", Query(COUNTS, mode="update"), fails="DELTA_UNSUPPORTED_OUTPUT_MODE"),
    script(
        "complete mode with a change feed",
        create("k LONG, n LONG", "TBLPROPERTIES ('delta.enableChangeDataFeed'='true')"),
        Query(COUNTS, 2, mode="complete"),
    ),
)
