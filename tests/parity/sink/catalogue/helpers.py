# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Helpers for sink scripts."""

from parity.sink.script import Query, SinkScript, Sql, Step

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
    """A script that writes a frame into a table with these columns."""
    settings = {key.replace("__", "."): value for key, value in confs.items()}
    named = f"{frame} into {columns}" + "".join(f", {key}={settings[key]}" for key in settings)
    query = Query(f"SELECT {frame} FROM rows", confs=settings)
    return script(named, create(columns), query, fails=fails)
