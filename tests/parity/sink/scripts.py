# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Every sink script: what a batch makes of a table, and what it is refused for."""

from parity.sink.script import Anew, Gone, Query, SinkScript, Sql, Step, Unnoted

COUNTS = "SELECT id % 3 AS k, count(*) AS n FROM rows GROUP BY id % 3"
TEXT = "SELECT id, CAST(id AS STRING) AS text FROM rows"
MERGING = {"mergeSchema": "true"}
OTHER_WRITER = "INSERT INTO {table} VALUES (100)"
AMONG = "spark.databricks.delta"


def script(name: str, *steps: Step, fails: str = "", folder: str = "table") -> SinkScript:
    return SinkScript(name=name, steps=steps, fails=fails, folder=folder)


def create(columns: str = "id LONG", clause: str = "") -> Sql:
    return Sql(f"CREATE TABLE {{table}} ({columns}) USING delta {clause}")


def into(columns: str, frame: str, *, fails: str = "", **confs: str) -> SinkScript:
    """A frame into a table of these columns."""
    told = {key.replace("__", "."): value for key, value in confs.items()}
    named = f"{frame} into {columns}" + "".join(f", {key}={told[key]}" for key in told)
    query = Query(f"SELECT {frame} FROM rows", confs=told)
    return script(named, create(columns), query, fails=fails)


PLAIN = (
    script("a new table", Query(count=3)),
    script("a table that is there", create(), Query(count=2), Query(count=2)),
    script("two queries", Query(count=2), Anew(), Query()),
    script("a batch without rows", Query(), Query(rows=0), Query()),
    script("a first batch without rows", Query(rows=0), Query()),
    script("all in one batch, with Once", Query(count=3, once=True), Query(once=True)),
    script("partitions", Query("SELECT id, id % 2 AS p FROM rows", 2, partition_by=("p",))),
    script(
        "partitions of a table that is there",
        create("id LONG, p STRING", "PARTITIONED BY (p)"),
        Query("SELECT id, CAST(id % 2 AS STRING) AS p FROM rows", 2),
    ),
    script(
        "other partitions than the table's",
        create("id LONG, p LONG", "PARTITIONED BY (p)"),
        Query("SELECT id, id % 2 AS p FROM rows", partition_by=("id",)),
    ),
    script("enough batches for checkpoints", Query(count=12), Query(count=10)),
    script(
        "a checkpoint each other version",
        create(clause="TBLPROPERTIES ('delta.checkpointInterval'='2')"),
        Query(count=5),
    ),
    script("a name that needs care", Query(count=2), Query(), folder="a b%20#c+ä"),
    script("user metadata as an option", Query(options={"userMetadata": "by option"})),
    script("user metadata as a conf", Query(confs={f"{AMONG}.commitInfo.userMetadata": "by conf"})),
    script("small files", Query(rows=5, options={"maxRecordsPerFile": "2"})),
    script(
        "a transaction of the user's is not asked",
        Query(options={"txnAppId": "a", "txnVersion": "7"}),
    ),
    script(
        "optimised writes",
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
    script(
        "a watermark",
        Query(
            "SELECT window(t, '1 second').start AS s, count(*) AS n "
            "FROM (SELECT timestamp_seconds(id * 10) AS t FROM rows) WATERMARK (t, '0 seconds') "
            "GROUP BY window(t, '1 second')",
            3,
        ),
    ),
)

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

COMPLETE = (
    script("complete mode", Query(COUNTS, 3, mode="complete")),
    script(
        "complete mode, a batch again",
        Query(COUNTS, 2, mode="complete"),
        Unnoted(),
        Query(COUNTS, mode="complete"),
    ),
    script(
        "complete mode takes another schema",
        create("k STRING, other LONG"),
        Query(COUNTS, 2, mode="complete", options={"overwriteSchema": "true"}),
    ),
    script(
        "complete mode keeps the schema",
        create("k STRING, n LONG"),
        Query(COUNTS, 2, mode="complete"),
    ),
    script(
        "append mode keeps the schema",
        create("text STRING"),
        Query(options={"overwriteSchema": "true"}),
        fails="?",
    ),
    script(
        "complete mode where rows may not go",
        create("k LONG, n LONG", "TBLPROPERTIES ('delta.appendOnly'='true')"),
        Sql("INSERT INTO {table} VALUES (1, 1)"),
        Query(COUNTS, mode="complete"),
        fails="?",
    ),
    script(
        "append where rows may not go",
        create(clause="TBLPROPERTIES ('delta.appendOnly'='true')"),
        Query(count=2),
    ),
    script("update mode", Query(COUNTS, mode="update"), fails="?"),
    script(
        "complete mode with a change feed",
        create("k LONG, n LONG", "TBLPROPERTIES ('delta.enableChangeDataFeed'='true')"),
        Query(COUNTS, 2, mode="complete"),
    ),
)

SCHEMA = (
    script("a new column", Query(), Query(TEXT), fails="?"),
    script("a new column, merged", Query(), Query(TEXT, options=MERGING), Query()),
    script(
        "a new column, merged by a conf",
        Query(),
        Query(TEXT, confs={f"{AMONG}.schema.autoMerge.enabled": "true"}),
    ),
    script("a column less", Query(TEXT), Query()),
    script("another order", Query(TEXT), Query("SELECT CAST(id AS STRING) AS text, id FROM rows")),
    script("another case", Query(), Query("SELECT id AS ID FROM rows")),
    script(
        "another case in a struct",
        create("s STRUCT<a: LONG>"),
        Query("SELECT named_struct('A', id) AS s FROM rows"),
    ),
    script("one name twice", Query("SELECT id, id AS ID FROM rows"), fails="?"),
    script("a column of no type", Query("SELECT id, null AS void FROM rows"), fails="?"),
    script(
        "a field of no type", Query("SELECT id, named_struct('a', null) AS s FROM rows"), fails="?"
    ),
    script(
        "a column of no type for one that has one",
        create("id LONG, text STRING"),
        Query("SELECT id, null AS text FROM rows"),
        fails="?",
    ),
    script(
        "a new field",
        create("id LONG, s STRUCT<a: LONG>"),
        Query("SELECT id, named_struct('a', id, 'b', id) AS s FROM rows"),
        fails="?",
    ),
    script(
        "a new field, merged",
        create("id LONG, s STRUCT<a: LONG>"),
        Query("SELECT id, named_struct('a', id, 'b', id) AS s FROM rows", options=MERGING),
    ),
    script(
        "a field less",
        create("s STRUCT<a: LONG, b: LONG>"),
        Query("SELECT named_struct('a', id) AS s FROM rows"),
    ),
    script(
        "a wider type, merged",
        create("id INT", "TBLPROPERTIES ('delta.enableTypeWidening'='true')"),
        Query("SELECT 3000000000 + id AS id FROM rows", 2, options=MERGING),
    ),
    script(
        "a wider type, not merged",
        create("id INT", "TBLPROPERTIES ('delta.enableTypeWidening'='true')"),
        Query("SELECT id FROM rows", 2),
    ),
    script("a wider type that the table does not take", create("id INT"), Query(options=MERGING)),
    script(
        "names with dots",
        create("`a.b` INT", "TBLPROPERTIES ('delta.columnMapping.mode'='name')"),
        Query("SELECT id AS `a.b` FROM rows"),
    ),
    script("names with blanks", Query("SELECT id AS `a b` FROM rows"), fails="?"),
)

CASTS = (
    into("id INT", "id"),
    into("id INT", "3000000000 + id AS id", fails="?"),
    into("id INT", "3000000000 + id AS id", spark__sql__storeAssignmentPolicy="LEGACY"),
    into("id INT", "id", fails="?", spark__sql__storeAssignmentPolicy="STRICT"),
    into("id LONG", "CAST(id AS INT) AS id"),
    into("id LONG", "CAST(id AS STRING) AS id"),
    into("id LONG", "'no number' AS id", fails="?"),
    into("id LONG", "'no number' AS id", spark__sql__storeAssignmentPolicy="LEGACY"),
    into("id STRING", "id"),
    into("d DECIMAL(4, 1)", "id + 0.25 AS d"),
    into("d DECIMAL(4, 1)", "id + 12345.5 AS d", fails="?"),
    into("d DATE", "timestamp_seconds(id) AS d"),
    into("t TIMESTAMP", "CAST(timestamp_seconds(id) AS STRING) AS t"),
    into("n TIMESTAMP_NTZ", "timestamp_seconds(id) AS n"),
    into("s STRUCT<a: INT, b: STRING>", "named_struct('b', id, 'a', id) AS s"),
    into("a ARRAY<INT>", "array(id) AS a"),
    into("a ARRAY<STRUCT<x: INT, y: LONG>>", "array(named_struct('x', id)) AS a"),
    into("m MAP<STRING, INT>", "map(id, id) AS m"),
    into("s STRUCT<a: INT>", "id AS s", fails="?"),
    into("id LONG", "named_struct('a', id) AS id", fails="?"),
    into("b BOOLEAN", "id AS b"),
    into("b BINARY", "CAST(id AS STRING) AS b"),
    into("c CHAR(3)", "CAST(id AS STRING) AS c"),
    into("c VARCHAR(2)", "'long' AS c", fails="?"),
)

FEATURES = (
    script(
        "a generated column",
        create("id LONG, g LONG GENERATED ALWAYS AS (id * 2)"),
        Query(),
        Query("SELECT id, id * 2 AS g FROM rows"),
    ),
    script(
        "a generated column that is wrong",
        create("id LONG, g LONG GENERATED ALWAYS AS (id * 2)"),
        Query("SELECT id, id AS g FROM rows WHERE id > 0"),
        fails="?",
    ),
    script(
        "a generated column from another type",
        create("id INT, g INT GENERATED ALWAYS AS (id * 2)"),
        Query(count=2),
    ),
    script("an identity", create("n LONG GENERATED ALWAYS AS IDENTITY, id LONG"), Query(count=2)),
    script(
        "an identity that is given",
        create("n LONG GENERATED ALWAYS AS IDENTITY, id LONG"),
        Query("SELECT id AS n, id FROM rows"),
        fails="?",
    ),
    script(
        "an identity that may be given",
        create("n LONG GENERATED BY DEFAULT AS IDENTITY, id LONG"),
        Query("SELECT id AS n, id FROM rows"),
        Query(),
    ),
    script(
        "a default",
        create(
            "id LONG, d LONG DEFAULT 7",
            "TBLPROPERTIES ('delta.feature.allowColumnDefaults'='supported')",
        ),
        Query(),
    ),
    script(
        "a check",
        create(),
        Sql("ALTER TABLE {table} ADD CONSTRAINT c CHECK (id < 3)"),
        Query(),
        Query(),
        fails="?",
    ),
    script(
        "no nulls",
        create("id LONG NOT NULL"),
        Query(),
        Query("SELECT nullif(id, 3) AS id FROM rows"),
        fails="?",
    ),
    script(
        "a column that has no nulls is missing",
        create("id LONG NOT NULL, n LONG NOT NULL"),
        Query(),
        fails="?",
    ),
    script(
        "mapped columns",
        create(
            "id INT, p INT", "PARTITIONED BY (p) TBLPROPERTIES ('delta.columnMapping.mode'='name')"
        ),
        Query("SELECT id, id % 2 AS p FROM rows"),
        Sql("ALTER TABLE {table} RENAME COLUMN id TO number"),
        Query("SELECT id AS number, id % 2 AS p, id AS more FROM rows", options=MERGING),
    ),
    script(
        "a change feed",
        create(clause="TBLPROPERTIES ('delta.enableChangeDataFeed'='true')"),
        Query(count=2),
    ),
    script(
        "rows that are tracked",
        create(clause="TBLPROPERTIES ('delta.enableRowTracking'='true')"),
        Query(count=3),
    ),
    script(
        "times in commits",
        create(clause="TBLPROPERTIES ('delta.enableInCommitTimestamps'='true')"),
        Query(count=3),
    ),
    script(
        "vectors",
        create(clause="TBLPROPERTIES ('delta.enableDeletionVectors'='true')"),
        Query(rows=4),
        Sql("DELETE FROM {table} WHERE id = 1"),
        Query(count=2),
    ),
    script(
        "clusters",
        create("id LONG, k LONG", "CLUSTER BY (k)"),
        Query("SELECT id, id % 2 AS k FROM rows", 3),
    ),
    script(
        "checkpoints of the second kind",
        create(
            clause="TBLPROPERTIES ('delta.checkpointPolicy'='v2', 'delta.checkpointInterval'='2')"
        ),
        Query(count=4),
    ),
    script("no statistics", Query(confs={f"{AMONG}.stats.collect": "false"})),
    script(
        "a table whose rows are read for it",
        Query(),
        Query(
            "SELECT rows.id + 50 AS id FROM rows LEFT ANTI JOIN {table} AS t ON rows.id = t.id", 2
        ),
    ),
)

SCRIPTS = PLAIN + ONCE + COMPLETE + SCHEMA + CASTS + FEATURES
