# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Partial overwrites: `replaceWhere` and dynamic partition overwrite."""

from parity.batch.catalogue.helpers import (
    CHECKED,
    CLUSTERED,
    DELTA,
    DYNAMIC,
    FEED,
    FRAME,
    MAPPED,
    MISSING,
    NULLS,
    PARTS,
    PLAIN,
    VECTORS,
    WITH_PART,
    overwrite,
    script,
)
from parity.batch.script import Save

TABLES = {
    "plain": PLAIN,
    "with nulls": NULLS,
    "with deletion vectors": VECTORS,
    "with a change feed": FEED,
    "with mapped columns": MAPPED,
    "clustered": CLUSTERED,
    "with a constraint": CHECKED,
}
PREDICATES = (
    "id >= 2",
    "ID >= 2",
    "false",
    "none = 2",
    "id >=",
    "",
    "id IN (SELECT 2)",
    "rand() < 2",
    "count(id) > 0",
)
PARTITIONS = (
    "p IN ('y', 'new')",
    "p >= 'y' OR p = 'new'",
    "p IN ('y', 'new') AND id > 1",
    "id > 1",
)


def where(predicate: str, **more: str) -> dict[str, str]:
    return {"replaceWhere": predicate, **more}


ANY = tuple(
    script(f"replaceWhere {predicate!r}", PLAIN, overwrite(where(predicate)))
    for predicate in PREDICATES
)
OVER = tuple(
    script(f"replaceWhere 'id > 1', a table {name}", setup, overwrite(where("id > 1")))
    for name, setup in TABLES.items()
    if name != "plain"
)
OF_PARTS = tuple(
    script(f"replaceWhere {predicate!r}, partitions", PARTS, overwrite(where(predicate), WITH_PART))
    for predicate in PARTITIONS
)
CONFS = (
    ("replaceWhere.constraintCheck.enabled", "false", "id = 2", PLAIN, FRAME),
    ("replaceWhere.dataColumns.enabled", "false", "id > 1", PLAIN, FRAME),
    ("replaceWhere.dataColumns.enabled", "false", "p > 'x'", PARTS, WITH_PART),
    ("replaceWhere.dataColumnsWithCDF.enabled", "false", "id > 1", FEED, FRAME),
    ("overwritePartition.enabled", "false", "id > 1", PLAIN, FRAME),
    ("write.isolation.dynamic", "false", "id > 1", PLAIN, FRAME),
)
SWITCHED = tuple(
    script(
        f"replaceWhere {predicate!r}, {key}={value}",
        setup,
        overwrite(where(predicate), frame, confs={f"{DELTA}.{key}": value}),
    )
    for key, value, predicate, setup, frame in CONFS
)
TOGETHER = (
    script("replaceWhere, a new table", MISSING, overwrite(where("id > 1"))),
    script("replaceWhere without mode", PLAIN, Save(FRAME, options=where("id > 1"))),
    script("replaceWhere, append", PLAIN, Save(FRAME, (), "append", options=where("id > 1"))),
    script(
        "replaceWhere and overwriteSchema",
        PLAIN,
        overwrite(where("id > 1", overwriteSchema="true")),
    ),
    script(
        "replaceWhere 'true' and overwriteSchema",
        PLAIN,
        overwrite(where("true", overwriteSchema="true"), "SELECT 9L AS id"),
    ),
    script(
        "replaceWhere and mergeSchema",
        PLAIN,
        overwrite(where("id > 1", mergeSchema="true"), "SELECT 9L AS id, 'z' AS v, 1 AS more"),
    ),
    script(
        "replaceWhere on a merged column",
        PLAIN,
        overwrite(where("more > 0", mergeSchema="true"), "SELECT 9L AS id, 'z' AS v, 1 AS more"),
    ),
    script("replaceWhere and dataChange", PLAIN, overwrite(where("id > 1", dataChange="false"))),
    script(
        "replaceWhere on partitions and dataChange",
        PARTS,
        overwrite(where("p IN ('y', 'new')", dataChange="false"), WITH_PART),
    ),
    script(
        "replaceWhere and dynamic partitions",
        PARTS,
        overwrite(where("p IN ('y', 'new')") | DYNAMIC, WITH_PART),
    ),
    script(
        "replaceWhere and dynamic partitions by conf",
        PARTS,
        overwrite(
            where("p IN ('y', 'new')"),
            WITH_PART,
            confs={"spark.sql.sources.partitionOverwriteMode": "dynamic"},
        ),
    ),
    script("replacewhere in lower case", PLAIN, overwrite({"replacewhere": "id > 1"})),
    script(
        "replaceWhere with the source's alias",
        PLAIN,
        overwrite(where("s.id > 1"), calls=(("alias", "s"),)),
    ),
    script(
        "replaceWhere by saveAsTable",
        PLAIN,
        Save(FRAME, (), "overwrite", "saveAsTable", options=where("id > 1")),
    ),
    script(
        "replaceWhere by writeTo",
        PLAIN,
        Save(FRAME, way="overwrite", condition="id > 1", options=where("id > 1")),
    ),
    script("a condition by writeTo", PLAIN, Save(FRAME, way="overwrite", condition="id > 1")),
    script(
        "replaceWhere from the table itself",
        PLAIN,
        overwrite(where("id > 1"), "SELECT id, concat(v, v) AS v FROM target WHERE id > 1"),
    ),
    script(
        "replaceWhere without rows", PLAIN, overwrite(where("id > 1"), calls=(("where", "false"),))
    ),
)
FORMS = {
    "by option": (DYNAMIC, {}),
    "static by option": ({"partitionOverwriteMode": "static"}, {}),
    "with an invalid mode": ({"partitionOverwriteMode": "some"}, {}),
    "by conf": ({}, {"spark.sql.sources.partitionOverwriteMode": "dynamic"}),
    "static by option, dynamic by conf": (
        {"partitionOverwriteMode": "static"},
        {"spark.sql.sources.partitionOverwriteMode": "dynamic"},
    ),
    "turned off": (DYNAMIC, {f"{DELTA}.dynamicPartitionOverwrite.enabled": "false"}),
    "and overwriteSchema": (DYNAMIC | {"overwriteSchema": "true"}, {}),
    "and mergeSchema": (DYNAMIC | {"mergeSchema": "true"}, {}),
    "and null intolerant": (DYNAMIC | {"useNullIntolerantEqualityWithDPO": "true"}, {}),
}
PARTED_NULLS = (PARTS[0], "INSERT INTO {table} VALUES (1, 'a', NULL), (2, 'b', 'y')")
DYNAMICS = (
    *tuple(
        script(f"dynamic partitions {name}", PARTS, overwrite(options, WITH_PART, confs=confs))
        for name, (options, confs) in FORMS.items()
    ),
    script("dynamic partitions, no partitions", PLAIN, overwrite(DYNAMIC)),
    script("dynamic partitions, a new table", MISSING, overwrite(DYNAMIC)),
    script("dynamic partitions, append", PARTS, Save(WITH_PART, (), "append", options=DYNAMIC)),
    script(
        "dynamic partitions that are null",
        PARTED_NULLS,
        overwrite(DYNAMIC, "SELECT 9L AS id, 'z' AS v, CAST(NULL AS STRING) AS p"),
    ),
    script(
        "dynamic partitions that are null, null intolerant",
        PARTED_NULLS,
        overwrite(
            DYNAMIC | {"useNullIntolerantEqualityWithDPO": "true"},
            "SELECT 9L AS id, 'z' AS v, CAST(NULL AS STRING) AS p",
        ),
    ),
    script(
        "dynamic partitions by saveAsTable",
        PARTS,
        Save(WITH_PART, (), "overwrite", "saveAsTable", options=DYNAMIC),
    ),
    script(
        "dynamic partitions by insertInto",
        PARTS,
        Save(WITH_PART, (), "overwrite", "insertInto", options=DYNAMIC),
    ),
    script(
        "dynamic partitions from the table itself",
        PARTS,
        overwrite(DYNAMIC, "SELECT id, concat(v, v) AS v, p FROM target WHERE p = 'y'"),
    ),
)

PARTIAL = ANY + OVER + OF_PARTS + SWITCHED + TOGETHER + DYNAMICS
