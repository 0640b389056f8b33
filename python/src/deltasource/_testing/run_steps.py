# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Runs the operations of a table history, and sees that each makes a commit."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, cast
from urllib.parse import urlsplit

from deltasource._errors import TableError
from deltasource._options.validation import Rule, validate
from deltasource._read.stream import load_if_exists
from deltasource._session import jvm
from deltasource._testing.errors import NoCommitError, StepError
from deltasource._testing.step import Step
from deltasource._text import first_line, is_path, sql_name
from deltasource._types import SessionLike

ROWS_VIEW: Final = "deltasource_testing_rows"
"""The temporary view with the rows of a step while it runs."""


def run_steps(
    spark: SessionLike, path_or_table: str | os.PathLike[str], steps: Sequence[Step]
) -> tuple[int, ...]:
    """Run steps; return the table's version after each."""
    table = table_in_sql(path_or_table)
    log = Path(os.fspath(path_or_table), "_delta_log")
    # Before its first step, a table may not exist.
    creates = bool(steps) and steps[0].before.upper().startswith("CREATE")
    if steps and not creates:
        _require_table(spark, path_or_table)
    version = -1 if creates or not steps else _version(spark, table, log)
    versions: list[int] = []
    for number, step in enumerate(steps, start=1):
        place = f"operation {number} of {len(steps)}"
        _run(spark, table, step, place)
        after = _version(spark, table, log)
        if after == version:
            raise NoCommitError(
                f"{place} made no commit, the table is still at version "
                f"{version}: {step}. Change the operation, or the operations before it, so that it "
                "makes a commit"
            )
        versions.append(after)
        version = after
    return tuple(versions)


def _run(spark: SessionLike, table: str, step: Step, place: str) -> None:
    from pyspark.errors import PySparkException

    try:
        with _rows(spark, table, step.rows):
            spark.sql(step.statement(table))
    except PySparkException as error:
        reason = first_line(error)
        raise StepError(
            f"{place} has failed and changed nothing: {step}. The first line of its error: {reason}"
        ) from error


def table_in_sql(path_or_table: str | os.PathLike[str]) -> str:
    """Return a table as SQL names it."""
    path = os.fspath(path_or_table)
    if not is_path(path_or_table):
        return path
    # SQL takes no relative path for a table.
    remote = isinstance(path_or_table, str) and urlsplit(path).scheme
    return f"delta.{sql_name(path if remote else str(Path(path).absolute()))}"


def _require_table(spark: SessionLike, path_or_table: str | os.PathLike[str]) -> None:
    if load_if_exists(spark, path_or_table) is None:
        raise TableError(
            f"there is no table {os.fspath(path_or_table)} yet, and the first operation does not "
            'create one: begin with `create`, as in TableHistory().create("id LONG").append([(1,)])'
        )


def _version(spark: SessionLike, table: str, log: Path) -> int:
    # Asking Delta takes a Spark job. A server of Spark Connect may have another disk.
    if jvm.classic_session(spark) is not None and log.is_dir():
        return max(int(commit.stem) for commit in log.glob("[0-9]*.json") if commit.stem.isdigit())
    [latest] = spark.sql(f"DESCRIBE HISTORY {table} LIMIT 1").collect()
    return int(latest["version"])


@contextmanager
def _rows(spark: SessionLike, table: str, rows: Sequence[Any]) -> Generator[None]:
    if not rows:
        yield
        return
    schema = spark.sql(f"SELECT * FROM {table} LIMIT 0").schema
    validate(*_column_rules(rows, schema.names))
    # One partition writes one file.
    frame = cast(Any, spark).createDataFrame(list(rows), schema).coalesce(1)
    frame.createOrReplaceTempView(ROWS_VIEW)
    try:
        yield
    finally:
        cast(Any, spark).catalog.dropTempView(ROWS_VIEW)


def _column_rules(rows: Sequence[Any], names: Sequence[str]) -> Iterator[Rule]:
    """Return the rules for rows by name: Spark ignores names that are not columns."""
    allowed = f"must have only columns of the table: {', '.join(names)}"
    for name in dict.fromkeys(name for row in rows if isinstance(row, dict) for name in row):
        yield "rows", name, name in names, allowed
