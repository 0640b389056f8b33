# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Replayed batches, and other writers."""

from parity.sink.catalogue.helpers import AMONG, MERGING, OTHER_WRITER, TEXT, create, script
from parity.sink.script import Gone, Query, Sql, Unnoted

LACKING = Query(confs={"spark.deltasource.sink.failOnOtherTarget": "false"})
"""A run into a table without the earlier batches, which ours refuses unless this conf is off."""

ONCE = (
    script("a replayed batch", Query(count=2), Unnoted(), Query()),
    script("a replayed first batch", Query(), Unnoted(), Query()),
    script("a batch replayed twice", Query(count=2), Unnoted(), Query(), Unnoted(), Query()),
    script(
        "a batch replayed after another writer",
        Query(count=2),
        Sql(OTHER_WRITER),
        Unnoted(),
        Query(),
    ),
    script(
        "a batch replayed after a delete",
        Query(count=2),
        Sql("DELETE FROM {table} WHERE id = 1"),
        Unnoted(),
        Query(),
    ),
    script(
        "a batch replayed after a restore",
        Query(count=3),
        Sql("RESTORE TABLE {table} TO VERSION AS OF 1"),
        Unnoted(),
        Query(),
    ),
    script(
        "a batch replayed after CREATE OR REPLACE",
        Query(count=2),
        Sql("CREATE OR REPLACE TABLE {table} (id LONG) USING delta"),
        Unnoted(),
        Query(),
    ),
    script(
        "a batch replayed after the table was recreated",
        Query(count=2),
        Gone("*"),
        create(),
        Unnoted(),
        LACKING,
    ),
    script(
        "a batch replayed without checksum files",
        Query(count=2),
        Gone("_delta_log/*.crc"),
        Unnoted(),
        Query(),
    ),
    script(
        "transaction identifiers with a retention",
        create(clause="TBLPROPERTIES ('delta.setTransactionRetentionDuration'='interval 1 day')"),
        Query(count=2),
        Unnoted(),
        Query(),
    ),
    script(
        "transaction identifiers without retention",
        create(clause="TBLPROPERTIES ('delta.setTransactionRetentionDuration'='interval 0 days')"),
        Query(count=2),
        Unnoted(),
        Query(),
    ),
    script(
        "no transaction identifiers in checksum files",
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
        "a replayed batch that adds a column",
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
    script("a recreated table", Query(count=2), Gone("*"), create(), LACKING),
    script("a deleted table", Query(count=2), Gone("*"), LACKING),
)
