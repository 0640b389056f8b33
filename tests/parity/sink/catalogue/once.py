# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Batches that are handed over again, and other writers."""

from parity.sink.catalogue.words import AMONG, MERGING, OTHER_WRITER, TEXT, create, script
from parity.sink.script import Gone, Query, Sql, Unnoted

ONCE = (
    script("a batch again", Query(count=2), Unnoted(), Query()),
    script("the first batch again", Query(), Unnoted(), Query()),
    script("a batch again, twice", Query(count=2), Unnoted(), Query(), Unnoted(), Query()),
    script(
        "a batch again after another writer", Query(count=2), Sql(OTHER_WRITER), Unnoted(), Query()
    ),
    script(
        "a batch again after a delete",
        Query(count=2),
        Sql("DELETE FROM {table} WHERE id = 1"),
        Unnoted(),
        Query(),
    ),
    script(
        "a batch again after a restore",
        Query(count=3),
        Sql("RESTORE TABLE {table} TO VERSION AS OF 1"),
        Unnoted(),
        Query(),
    ),
    script(
        "a batch again after a replacement",
        Query(count=2),
        Sql("CREATE OR REPLACE TABLE {table} (id LONG) USING delta"),
        Unnoted(),
        Query(),
    ),
    script(
        "a batch again, of a table made anew",
        Query(count=2),
        Gone("*"),
        create(),
        Unnoted(),
        Query(),
    ),
    script(
        "a batch again without checksum files",
        Query(count=2),
        Gone("_delta_log/*.crc"),
        Unnoted(),
        Query(),
    ),
    script(
        "markers that are kept for a time",
        create(clause="TBLPROPERTIES ('delta.setTransactionRetentionDuration'='interval 1 day')"),
        Query(count=2),
        Unnoted(),
        Query(),
    ),
    script(
        "markers that are not kept",
        create(clause="TBLPROPERTIES ('delta.setTransactionRetentionDuration'='interval 0 days')"),
        Query(count=2),
        Unnoted(),
        Query(),
    ),
    script(
        "no markers in checksum files",
        Query(count=2, confs={f"{AMONG}.setTransactionsInCrc.writeOnCommit": "false"}),
        Query(count=2, confs={f"{AMONG}.setTransactionsInCrc.writeOnCommit": "false"}),
        Unnoted(),
        Query(),
    ),
    script(
        "no checksum files",
        Query(count=2, confs={f"{AMONG}.writeChecksumFile.enabled": "false"}),
        Unnoted(),
        Query(count=2, confs={f"{AMONG}.writeChecksumFile.enabled": "false"}),
    ),
    script(
        "a batch again that adds a column",
        Query(),
        Query(TEXT, options=MERGING),
        Unnoted(),
        Query(TEXT, options=MERGING),
    ),
    script(
        "other writers between batches",
        Query(count=2),
        Sql(OTHER_WRITER),
        Query(),
        Sql("DELETE FROM {table} WHERE id < 2"),
        Query(),
        Sql("OPTIMIZE {table}"),
        Query(),
        Sql("ALTER TABLE {table} ADD COLUMN more STRING"),
        Query(),
    ),
    script("a table made anew", Query(count=2), Gone("*"), create(), Query()),
    script("a table that is gone", Query(count=2), Gone("*"), Query()),
)
