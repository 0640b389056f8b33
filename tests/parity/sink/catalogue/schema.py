# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Batches whose schema differs from the table's."""

from parity.sink.catalogue.helpers import AMONG, MERGING, TEXT, create, script
from parity.sink.script import Query

SCHEMA = (
    script("a new column", Query(), Query(TEXT), fails="DELTA_METADATA_MISMATCH"),
    script("a new column, merged", Query(), Query(TEXT, options=MERGING), Query()),
    script(
        "a new column, merged by a conf",
        Query(),
        Query(TEXT, confs={f"{AMONG}.schema.autoMerge.enabled": "true"}),
    ),
    script("a missing column", Query(TEXT), Query()),
    script("another order", Query(TEXT), Query("SELECT CAST(id AS STRING) AS text, id FROM rows")),
    script("another case", Query(), Query("SELECT id AS ID FROM rows")),
    script(
        "another case in a struct",
        create("s STRUCT<a: LONG>"),
        Query("SELECT named_struct('A', id) AS s FROM rows"),
    ),
    script(
        "a duplicate column name",
        Query("SELECT id, id AS ID FROM rows"),
        fails="DELTA_DUPLICATE_COLUMNS_FOUND.DATA",
    ),
    script(
        "a column of type VOID",
        Query("SELECT id, null AS void FROM rows"),
        fails="DELTA_NULL_SCHEMA_IN_STREAMING_WRITE",
    ),
    script(
        "a field of type VOID",
        Query("SELECT id, named_struct('a', null) AS s FROM rows"),
        fails="DELTA_NULL_SCHEMA_IN_STREAMING_WRITE",
    ),
    script(
        "a column of type VOID for a STRING column",
        create("id LONG, text STRING"),
        Query("SELECT id, null AS text FROM rows"),
        fails="DELTA_NULL_SCHEMA_IN_STREAMING_WRITE",
    ),
    script(
        "a new field",
        create("id LONG, s STRUCT<a: LONG>"),
        Query("SELECT id, named_struct('a', id, 'b', id) AS s FROM rows"),
        fails="DELTA_METADATA_MISMATCH",
    ),
    script(
        "a new field, merged",
        create("id LONG, s STRUCT<a: LONG>"),
        Query("SELECT id, named_struct('a', id, 'b', id) AS s FROM rows", options=MERGING),
    ),
    script(
        "a missing field",
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
    script("a wider type without type widening", create("id INT"), Query(options=MERGING)),
    script(
        "names with dots",
        create("`a.b` INT", "TBLPROPERTIES ('delta.columnMapping.mode'='name')"),
        Query("SELECT id AS `a.b` FROM rows"),
    ),
    script(
        "names with spaces",
        Query("SELECT id AS `a b` FROM rows"),
        fails="DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES",
    ),
)
