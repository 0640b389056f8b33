# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Frames whose schema is not the table's, with and without schema evolution."""

from parity.batch.catalogue.helpers import (
    DELTA,
    FRAME,
    MAPPED,
    MERGING,
    PARTS,
    PLAIN,
    REPLACING,
    WITH_PART,
    script,
)
from parity.batch.script import Save

FRAMES = {
    "an extra column": "SELECT 9L AS id, 'z' AS v, 1.5D AS more",
    "a missing column": "SELECT 9L AS id",
    "columns in another order": "SELECT 'z' AS v, 9L AS id",
    "a column in another letter case": "SELECT 9L AS ID, 'z' AS v",
    "a narrower type": "SELECT 9 AS id, 'z' AS v",
    "text for a number": "SELECT '9' AS id, 'z' AS v",
    "text that is not a number": "SELECT 'nine' AS id, 'z' AS v",
    "a type that cannot be cast": "SELECT array(1) AS id, 'z' AS v",
    "a duplicate column": "SELECT 9L AS id, 'z' AS v, 'y' AS v",
    "a column of type VOID": "SELECT 9L AS id, NULL AS v",
    "a name with a space": "SELECT 9L AS id, 'z' AS v, 1 AS `a b`",
}

CHANGING = ("an extra column", "a narrower type", "text for a number", "a missing column")
SHAPES = tuple(
    script(f"{name}, {mode}{leave}", PLAIN, Save(frame, mode=mode, options=options))
    for name, frame in FRAMES.items()
    for mode, leave, options in (
        ("append", "", {}),
        ("append", ", mergeSchema", MERGING),
        ("overwrite", ", overwriteSchema", REPLACING),
    )
    if not leave or name in CHANGING
)
MORE = FRAMES["an extra column"]
CONFS = (
    script(
        "an extra column, autoMerge",
        PLAIN,
        Save(MORE, mode="append", confs={f"{DELTA}.schema.autoMerge.enabled": "true"}),
    ),
    script(
        "an extra column, autoMerge but not mergeSchema",
        PLAIN,
        Save(
            MORE,
            mode="append",
            options={"mergeSchema": "false"},
            confs={f"{DELTA}.schema.autoMerge.enabled": "true"},
        ),
    ),
    script(
        "an extra column, both options",
        PLAIN,
        Save(MORE, mode="overwrite", options=MERGING | REPLACING),
    ),
    script(
        "mergeSchema that is not a boolean",
        PLAIN,
        Save(MORE, mode="append", options={"mergeSchema": "maybe"}),
    ),
    script(
        "overwriteSchema that is not a boolean",
        PLAIN,
        Save(MORE, mode="overwrite", options={"overwriteSchema": "maybe"}),
    ),
    script(
        "overwriteSchema drops the partitioning",
        PARTS,
        Save(WITH_PART, mode="overwrite", options=REPLACING),
    ),
    script(
        "overwriteSchema with another partitioning",
        PARTS,
        Save(WITH_PART, mode="overwrite", options=REPLACING, partition_by=("v",)),
    ),
    script(
        "overwriteSchema without the partition column",
        PARTS,
        Save(FRAME, mode="overwrite", options=REPLACING),
    ),
    script("mergeSchema into mapped columns", MAPPED, Save(MORE, mode="append", options=MERGING)),
    script(
        "overwriteSchema over mapped columns",
        MAPPED,
        Save(MORE, mode="overwrite", options=REPLACING),
    ),
    script(
        "mergeSchema and a wider type with type widening",
        (
            "CREATE TABLE {table} (id INT) USING delta"
            " TBLPROPERTIES ('delta.enableTypeWidening' = 'true')",
            "INSERT INTO {table} VALUES (1)",
        ),
        Save("SELECT 5000000000L AS id", mode="append", options=MERGING),
    ),
    script(
        "a wider type",
        ("CREATE TABLE {table} (id INT) USING delta",),
        Save("SELECT 5000000000L AS id", mode="append"),
    ),
    script(
        "an extra field in a struct",
        (
            "CREATE TABLE {table} (s STRUCT<a: INT>) USING delta",
            "INSERT INTO {table} VALUES (named_struct('a', 1))",
        ),
        Save("SELECT named_struct('a', 2, 'b', 3) AS s", mode="append", options=MERGING),
    ),
    script(
        "by name with saveAsTable",
        PLAIN,
        Save("SELECT 'z' AS v, 9L AS id", mode="append", way="saveAsTable"),
    ),
    script(
        "by position with insertInto",
        PLAIN,
        Save("SELECT 9L AS one, 'z' AS two", mode="append", way="insertInto"),
    ),
)

SCHEMAS = SHAPES + CONFS
