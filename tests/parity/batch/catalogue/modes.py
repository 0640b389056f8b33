# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Save modes and the writer's methods, over tables that exist, are empty, or do not exist."""

from parity.batch.catalogue.helpers import (
    EMPTY,
    FRAME,
    MISSING,
    PARTS,
    PLAIN,
    WITH_PART,
    script,
)
from parity.batch.script import Save
from parity.sink.script import Sql

PARQUET = ("INSERT OVERWRITE DIRECTORY '{path}' USING parquet SELECT 1L AS id, 'a' AS v",)
TABLES = {"missing": MISSING, "empty": EMPTY, "plain": PLAIN}
MODES = ("", "append", "overwrite", "error", "ignore")
FIRST = ("save", "save, path as an option", "saveAsTable", "insertInto")
SECOND = ("append", "overwritePartitions", "create", "replace", "createOrReplace")

MODE = tuple(
    script(f"mode {mode or 'not set'}, a table that is {name}", setup, Save(FRAME, mode=mode))
    for mode in MODES
    for name, setup in TABLES.items()
)
WAY = tuple(
    script(f"{way} {mode}, a table that is {name}", setup, Save(FRAME, mode=mode, way=way))
    for way in FIRST[1:]
    for mode in ("append", "overwrite")
    for name, setup in (("missing", MISSING), ("plain", PLAIN))
    if name == "plain" or way == "saveAsTable"
)
WAY_2 = tuple(
    script(f"writeTo {way}, a table that is {name}", setup, Save(FRAME, way=way))
    for way in SECOND
    for name, setup in (("missing", MISSING), ("plain", PLAIN))
    if name == "plain" or "reate" in way
)
LAYOUTS = (
    *(
        script(
            f"partitionBy {' and '.join(columns)}, mode {mode}, a table that is {name}",
            setup,
            Save(WITH_PART, mode=mode, partition_by=columns),
        )
        for mode in ("append", "overwrite")
        for columns in (("p",), ("v",), ("none",))
        for name, setup in (("missing", MISSING), ("partitioned", PARTS))
        if name == "partitioned" or mode == "append"
    ),
    script("partitionBy all columns", MISSING, Save(FRAME, partition_by=("id", "v"))),
    script(
        "partitionBy in another letter case",
        PARTS,
        Save(WITH_PART, (), "append", partition_by=("P",)),
    ),
    script(
        "partitionBy, a table without partitions",
        PLAIN,
        Save(FRAME, (), "overwrite", partition_by=("v",)),
    ),
    script(
        "partitionBy and overwriteSchema, a table without partitions",
        PLAIN,
        Save(FRAME, (), "overwrite", partition_by=("v",), options={"overwriteSchema": "true"}),
    ),
    script("clusterBy, a new table", MISSING, Save(FRAME, cluster_by=("id",))),
    script(
        "clusterBy, a new table by saveAsTable",
        MISSING,
        Save(FRAME, way="saveAsTable", cluster_by=("id",)),
    ),
    script("clusterBy, an existing table", PLAIN, Save(FRAME, (), "append", cluster_by=("id",))),
    script(
        "clusterBy and overwriteSchema",
        PLAIN,
        Save(FRAME, (), "overwrite", cluster_by=("id",), options={"overwriteSchema": "true"}),
    ),
)
PLACES = (
    script("a parquet table without mode", PARQUET, Save(FRAME)),
    script("a parquet table, append", PARQUET, Save(FRAME, mode="append")),
    script("a parquet table, overwrite", PARQUET, Save(FRAME, mode="overwrite")),
    script("no path", MISSING, Save(FRAME, way="save, no path")),
    script("a path with a version", PLAIN, Save(FRAME, mode="append", path="@v0")),
    script("a path with a timestamp", PLAIN, Save(FRAME, mode="append", path="@20240101000000000")),
    script("a path into a partition", PARTS, Save(FRAME, mode="append", path="/p=x")),
    script("a path into a partition, overwrite", PARTS, Save(FRAME, (), "overwrite", path="/p=x")),
    script("a path into the log", PLAIN, Save(FRAME, mode="append", path="/_delta_log")),
    script("a frame without rows", PLAIN, Save(FRAME, (("where", "false"),), "overwrite")),
    script("a frame without rows, a new table", MISSING, Save(FRAME, (("where", "false"),))),
    script("a frame without columns", MISSING, Save(FRAME, (("drop", "id", "v"),))),
    script(
        "the table from itself through the data source",
        PLAIN,
        Save("SELECT id + 1 AS id, v FROM target", mode="overwrite"),
    ),
    script(
        "the table from itself through the catalog",
        PLAIN,
        Save("SELECT id + 1 AS id, v FROM {table}", mode="overwrite"),
    ),
    script("the table from itself, appended", PLAIN, Save("SELECT * FROM target", mode="append")),
    script(
        "three writes and one of another writer",
        MISSING,
        Save(FRAME),
        Save(FRAME, mode="append"),
        Sql("INSERT INTO {table} VALUES (100, 'q')"),
        Save(FRAME, mode="overwrite"),
    ),
)

MODES_AND_WAYS = MODE + WAY + WAY_2 + LAYOUTS + PLACES
