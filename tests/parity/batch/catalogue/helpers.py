# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Tables, frames and helpers for batch scripts."""

from collections.abc import Mapping

from parity.batch.script import BatchScript, Call, Load, Save, Step

DELTA = "spark.databricks.delta"
CREATE = "CREATE TABLE {table} (id LONG, v STRING) USING delta"
INSERT = "INSERT INTO {table} VALUES (1, 'a'), (2, 'b'), (3, 'c')"


def created(columns: str = "id LONG, v STRING", layout: str = "", **properties: str) -> str:
    pairs = ", ".join(f"'delta.{key}' = '{value}'" for key, value in properties.items())
    layout = f" {layout}" if layout else ""
    return f"CREATE TABLE {{table}} ({columns}) USING delta{layout}" + (
        f" TBLPROPERTIES ({pairs})" if pairs else ""
    )


MISSING: tuple[str, ...] = ()
EMPTY = (CREATE,)
PLAIN = (CREATE, INSERT)
BY_PART = created("id LONG, v STRING, p STRING", "PARTITIONED BY (p)")
PARTS = (BY_PART, "INSERT INTO {table} VALUES (1, 'a', 'x'), (2, 'b', 'y'), (3, 'c', 'z')")
NULLS = (CREATE, "INSERT INTO {table} VALUES (1, 'a'), (NULL, 'b'), (3, NULL)")
VECTORS = (created(enableDeletionVectors="true"), INSERT, "DELETE FROM {table} WHERE id = 3")
FEED = (created(enableChangeDataFeed="true"), INSERT)
MAPPED = (
    created(**{"columnMapping.mode": "name"}),
    INSERT,
    "ALTER TABLE {table} RENAME COLUMN v TO w",
    "ALTER TABLE {table} RENAME COLUMN w TO v",
)
CLUSTERED = (created(layout="CLUSTER BY (id)"), INSERT)
TRACKED = (created(enableRowTracking="true"), INSERT)
CHECKED = (CREATE, INSERT, "ALTER TABLE {table} ADD CONSTRAINT small CHECK (id < 50)")
VERSIONS = (*PLAIN, "DELETE FROM {table} WHERE id = 2", "UPDATE {table} SET v = 'w' WHERE id = 3")

ROWS = "VALUES (2L, 'B'), (9L, 'z')"
FRAME = f"SELECT col1 AS id, col2 AS v FROM {ROWS}"
"""One row with an id that the table has, one with a new id."""
WITH_PART = "SELECT col1 AS id, col2 AS v, col3 AS p FROM VALUES (2L, 'B', 'y'), (9L, 'z', 'new')"

MERGING = {"mergeSchema": "true"}
REPLACING = {"overwriteSchema": "true"}
DYNAMIC = {"partitionOverwriteMode": "dynamic"}
USING = {"replaceUsing": "id"}
ON = {"replaceOn": "t.id = s.id", "targetAlias": "t"}
ALIAS: tuple[Call, ...] = (("alias", "s"),)


def script(name: str, setup: tuple[str, ...], *steps: Step) -> BatchScript:
    return BatchScript(name=name, setup=setup, steps=steps)


def overwrite(
    options: Mapping[str, str],
    frame: str = FRAME,
    calls: tuple[Call, ...] = (),
    confs: Mapping[str, str] | None = None,
) -> Save:
    return Save(frame, calls, "overwrite", options=options, confs=confs or {})


def loaded(options: Mapping[str, str], path: str = "") -> Load:
    return Load(options=options, path=path)


def format_options(options: Mapping[str, str]) -> str:
    return ", ".join(f"{key}={value}" for key, value in options.items()) or "nothing more"
