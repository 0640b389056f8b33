# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Ordinary batches, with the options of a writer."""

from parity.sink.catalogue.helpers import AMONG, create, script
from parity.sink.script import Anew, Query

PLAIN = (
    script("a new table", Query(count=3)),
    script("an existing table", create(), Query(count=2), Query(count=2)),
    script("two queries", Query(count=2), Anew(), Query()),
    script("a batch without rows", Query(), Query(rows=0), Query()),
    script("a first batch without rows", Query(rows=0), Query()),
    script("all in one batch, with Once", Query(count=3, once=True), Query(once=True)),
    script("partitions", Query("SELECT id, id % 2 AS p FROM rows", 2, partition_by=("p",))),
    script(
        "partitions of an existing table",
        create("id LONG, p STRING", "PARTITIONED BY (p)"),
        Query("SELECT id, CAST(id % 2 AS STRING) AS p FROM rows", 2),
    ),
    script(
        "other partitions than the table's",
        create("id LONG, p LONG", "PARTITIONED BY (p)"),
        Query("SELECT id, id % 2 AS p FROM rows", partition_by=("id",)),
        fails="DELTA_METADATA_MISMATCH",
    ),
    script("enough batches for checkpoints", Query(count=12), Query(count=10)),
    script(
        "a checkpoint every other version",
        create(clause="TBLPROPERTIES ('delta.checkpointInterval'='2')"),
        Query(count=5),
    ),
    script("a path with special characters", Query(count=2), Query(), folder="a b%20#c+ä"),
    script("user metadata as an option", Query(options={"userMetadata": "by option"})),
    script("user metadata as a conf", Query(confs={f"{AMONG}.commitInfo.userMetadata": "by conf"})),
    script("small files", Query(rows=5, options={"maxRecordsPerFile": "2"})),
    script(
        "txnAppId and txnVersion are ignored",
        Query(options={"txnAppId": "a", "txnVersion": "7"}),
    ),
    script(
        "optimized writes",
        Query(
            "SELECT id, id % 2 AS p FROM rows",
            2,
            4,
            partition_by=("p",),
            options={"optimizeWrite": "true"},
        ),
    ),
    script(
        "compaction after batches",
        create(clause="TBLPROPERTIES ('delta.autoOptimize.autoCompact'='true')"),
        Query(count=4, confs={f"{AMONG}.autoCompact.minNumFiles": "2"}),
    ),
)
