# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Reads: versions, timestamps, partition paths, schemas and invalid values."""

from collections.abc import Mapping

from parity.batch.catalogue.helpers import (
    DELTA,
    EMPTY,
    FEED,
    FRAME,
    MAPPED,
    MISSING,
    PARTS,
    PLAIN,
    VECTORS,
    VERSIONS,
    created,
    format_options,
    script,
)
from parity.batch.script import Load, Save

TWO_PARTS = (
    created("id LONG, d DATE, n INT, p STRING", "PARTITIONED BY (d, n, p)"),
    "INSERT INTO {table} VALUES (1, DATE'2024-01-01', 1, 'a b'), (2, DATE'2024-01-02', 2, 'c'),"
    " (3, NULL, NULL, NULL)",
)
PARQUET = ("INSERT OVERWRITE DIRECTORY '{path}' USING parquet SELECT 1L AS id, 'a' AS v",)

TRAVEL: tuple[Mapping[str, str], ...] = (
    {"versionAsOf": "1"},
    {"VERSIONASOF": "1"},
    {"versionAsOf": "4"},
    {"versionAsOf": "-1"},
    {"versionAsOf": "one"},
    {"versionAsOf": ""},
    {"versionAsOf": "99999999999999999999"},
    {"timestampAsOf": "2024-01-02"},
    {"TimestampAsOf": "2024-01-02"},
    {"timestampAsOf": "2024-01-02 12:00:00"},
    {"timestampAsOf": "2023-12-31"},
    {"timestampAsOf": "2024-02-01"},
    {"timestampAsOf": "some day"},
    {"timestampAsOf": ""},
    {"timestampAsOf": "current_timestamp()"},
    {"versionAsOf": "1", "timestampAsOf": "2024-01-02"},
)
SUFFIXES = (
    "@v1",
    "@V1",
    "@v0",
    "@v9",
    "@v-1",
    "@vx",
    "@v",
    "@1",
    "@20240102000000000",
    "@20240102120000000",
    "@20230101000000000",
    "@20240201000000000",
    "@20240102",
    "@2024",
    "@",
)
BY_BOTH = (
    ("@v1", {"versionAsOf": "1"}),
    ("@v1", {"versionAsOf": "2"}),
    ("@v1", {"timestampAsOf": "2024-01-02"}),
    ("@20240102000000000", {"versionAsOf": "1"}),
)
IN_TIME = (
    tuple(
        script(f"read {format_options(options)}", VERSIONS, Load(options=options))
        for options in TRAVEL
    )
    + tuple(
        script(f"read a path that ends in {path}", VERSIONS, Load(path=path)) for path in SUFFIXES
    )
    + tuple(
        script(
            f"read a path that ends in {path} and {format_options(options)}",
            VERSIONS,
            Load(path=path, options=options),
        )
        for path, options in BY_BOTH
    )
)
PATHS = (
    *tuple(
        script(f"read the path {path}", TWO_PARTS, Load(path=path))
        for path in (
            "/d=2024-01-01",
            "/d=2024-01-01/n=1",
            "/d=2024-01-01/n=1/p=a b",
            "/d=2024-01-01/n=1/p=a%20b",
            "/D=2024-01-01",
            "/n=1",
            "/d=2024-01-03",
            "/d=some day",
            "/d=__HIVE_DEFAULT_PARTITION__",
            "/d=2024-01-01/q=1",
            "/none",
            "/d=",
            "/d=2024-01-01/n=2",
            "/d=2024-01-01@v1",
        )
    ),
    script(
        "read a path into a partition and a version",
        PARTS,
        Load(path="/p=x", options={"versionAsOf": "1"}),
    ),
    script(
        "read a path into a partition as an option", PARTS, Load("load, path as an option", "/p=x")
    ),
    script("read a path into a partition by table", PARTS, Load("table", "/p=x")),
    script("read a path into a table without partitions", PLAIN, Load(path="/id=1")),
    script(
        "read changes of a partition",
        PARTS,
        Load(path="/p=x", options={"readChangeFeed": "true", "startingVersion": "0"}),
    ),
)
SCHEMAS = (
    "id LONG, v STRING",
    "v STRING, id LONG",
    "id LONG",
    "id INT, v STRING",
    "ID LONG, V STRING",
    "id LONG NOT NULL, v STRING",
    "id LONG, v STRING, more INT",
)
WITH_SCHEMA = (
    *tuple(
        script(f"read with the schema {schema}", PLAIN, Load(schema=schema)) for schema in SCHEMAS
    ),
    script(
        "read with a schema and a version",
        VERSIONS,
        Load(schema="id LONG, v STRING", options={"versionAsOf": "1"}),
    ),
    script("read with a schema, no table", MISSING, Load(schema="id LONG, v STRING")),
)
FILES = {"fs.file.impl": "no.such.FileSystem", "fs.file.impl.disable.cache": "true"}
FROM_OPTIONS = f"{DELTA}.loadFileSystemConfigsFromDataFrameOptions"
OF_FILES = tuple(
    step
    for value in ("true", "false")
    for step in (
        script(
            f"read with file system options, {value}",
            PLAIN,
            Load(options=FILES, confs={FROM_OPTIONS: value}),
        ),
        script(
            f"read changes with file system options, {value}",
            FEED,
            Load(
                options={**FILES, "readChangeFeed": "true", "startingVersion": "0"},
                confs={FROM_OPTIONS: value},
            ),
        ),
        script(
            f"read a partition with file system options, {value}",
            PARTS,
            Load(path="/p=x", options=FILES, confs={FROM_OPTIONS: value}),
        ),
        script(
            f"write with file system options, {value}",
            PLAIN,
            Save(FRAME, mode="append", options=FILES, confs={FROM_OPTIONS: value}),
        ),
        script(
            f"replaceUsing with file system options, {value}",
            PLAIN,
            Save(
                FRAME,
                mode="overwrite",
                options={**FILES, "replaceUsing": "id"},
                confs={FROM_OPTIONS: value},
            ),
        ),
    )
)
REST = (
    *tuple(
        script(f"read {name} by {way}", setup, Load(way))
        for way in ("load", "table", "load, path as an option", "load, two paths")
        for name, setup in (("a table", PLAIN), ("no table", MISSING), ("parquet", PARQUET))
    ),
    script("read without a path", MISSING, Load("load, no path")),
    script("read an empty table", EMPTY, Load()),
    script("read mapped columns", MAPPED, Load(where="id > 1", select=("v",))),
    script("read deletion vectors", VECTORS, Load(where="id > 1")),
    script("read with an unknown option", PLAIN, Load(options={"something": "else"})),
    script(
        "read with a writer's options",
        PLAIN,
        Load(options={"replaceUsing": "id", "mergeSchema": "maybe", "replaceWhere": "none"}),
    ),
    script(
        "read with a stream's options",
        PLAIN,
        Load(options={"maxFilesPerTrigger": "none", "ignoreChanges": "maybe"}),
    ),
    script(
        "read with startingVersion but without the change feed",
        VERSIONS,
        Load(options={"startingVersion": "1"}),
    ),
    script("read by table and a version", VERSIONS, Load("table", options={"versionAsOf": "1"})),
    script("read by table with a version in its name", VERSIONS, Load("table", "@v1")),
    script(
        "read by table and a timestamp",
        VERSIONS,
        Load("table", options={"timestampAsOf": "2024-01-02"}),
    ),
)

READ = IN_TIME + PATHS + WITH_SCHEMA + OF_FILES + REST
