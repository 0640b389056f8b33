# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Batches whose types differ from the table's."""

from parity.sink.catalogue.helpers import into

S = "s STRUCT<a: INT, b: STRING>"
A = "CAST(id AS INT)"
NULL = f"IF(id % 2 = 0, named_struct('a', {A}), NULL) AS s"
LOSSY = {"spark__databricks__delta__merge__preserveNullSourceStructs": "false"}

CASTS = (
    into("id INT", "id"),
    into("id INT", "3000000000 + id AS id", fails="TASK_WRITE_FAILED"),
    into("id INT", "3000000000 + id AS id", spark__sql__storeAssignmentPolicy="LEGACY"),
    into(
        "id INT", "id", fails="CANNOT_UP_CAST_DATATYPE", spark__sql__storeAssignmentPolicy="STRICT"
    ),
    into("id LONG", "CAST(id AS INT) AS id"),
    into("id LONG", "CAST(id AS STRING) AS id"),
    into("id LONG", "concat('no number ', id) AS id", fails="TASK_WRITE_FAILED"),
    into("id LONG", "concat('no number ', id) AS id", spark__sql__storeAssignmentPolicy="LEGACY"),
    into("id STRING", "id"),
    into("d DECIMAL(4, 1)", "id + 0.25 AS d"),
    into("d DECIMAL(4, 1)", "id + 12345.5 AS d", fails="TASK_WRITE_FAILED"),
    into("d DATE", "timestamp_seconds(id) AS d"),
    into("t TIMESTAMP", "CAST(timestamp_seconds(id) AS STRING) AS t"),
    into("n TIMESTAMP_NTZ", "timestamp_seconds(id) AS n"),
    into("s STRUCT<a: INT, b: STRING>", "named_struct('b', id, 'a', id) AS s"),
    into("a ARRAY<INT>", "array(id) AS a"),
    into("a ARRAY<STRUCT<x: INT, y: LONG>>", "array(named_struct('x', id)) AS a"),
    into("m MAP<STRING, INT>", "map(id, id) AS m"),
    into("s STRUCT<a: INT>", "id AS s", fails="DELTA_FAILED_TO_MERGE_FIELDS"),
    into("id LONG", "named_struct('a', id) AS id", fails="DELTA_FAILED_TO_MERGE_FIELDS"),
    into("b BOOLEAN", "id AS b", fails="DELTA_FAILED_TO_MERGE_FIELDS"),
    into("b BINARY", "CAST(id AS STRING) AS b"),
    into("c CHAR(3)", "CAST(id AS STRING) AS c"),
    into("c VARCHAR(2)", "'long' AS c", fails="DELTA_EXCEED_CHAR_VARCHAR_LIMIT"),
    # A NULL struct must stay NULL when fields are missing or in another order.
    into(S, f"named_struct('a', {A}) AS s"),
    into(S, f"named_struct('b', 'x', 'a', {A}) AS s"),
    into(S, NULL, **LOSSY),
    into(f"id LONG, {S}", f"id, {NULL}", **LOSSY),
    into(f"id LONG, {S}", f"CAST(id AS INT) AS id, {NULL}", **LOSSY),
    into(
        "s STRUCT<a: INT NOT NULL, b: STRING>",
        "named_struct('b', 'x') AS s",
        fails="DELTA_MISSING_NOT_NULL_COLUMN_VALUE",
    ),
    into(
        "id LONG, s STRUCT<a: INT NOT NULL, b: STRING>",
        "CAST(id AS INT) AS id, named_struct('b', 'x') AS s",
        fails="DELTA_NOT_NULL_CONSTRAINT_VIOLATED",
    ),
)
