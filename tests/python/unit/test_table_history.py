# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A table history that is applied to nothing, without Spark."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from deltasource import TableError
from deltasource._testing.run_steps import table_in_sql
from deltasource.testing import TableHistory
from support.fake_readers import Failed, Session


def no_name(_name: str) -> NoReturn:
    """Find no table of a name."""
    raise Failed("TABLE_OR_VIEW_NOT_FOUND")


def no_path(_path: str) -> NoReturn:
    """Find no table at a path."""
    raise Failed("DELTA_SCHEMA_NOT_SET")


def delta(_name: str) -> Any:
    """Return a reader of paths."""
    return SimpleNamespace(load=no_path)


@pytest.mark.parametrize("path", ["orders", "./orders", Path("orders")])
def test_a_history_without_a_table_says_to_create_it(path: str | Path) -> None:
    """Nothing is run; the message is not one about the log or about SQL."""
    spark: Any = Session(read=SimpleNamespace(format=delta, table=no_name))
    with pytest.raises(
        TableError, match=r"there is no table (\./)?orders yet.*begin with `create`"
    ):
        TableHistory().append([(1,)]).apply(spark, path)


def test_a_folder_whose_log_is_empty_is_no_table(tmp_path: Path) -> None:
    """A table that was being created."""
    (tmp_path / "_delta_log").mkdir()
    spark: Any = Session(read=SimpleNamespace(format=delta, table=no_name))
    with pytest.raises(TableError, match="begin with `create`"):
        TableHistory().delete("id = 1").apply(spark, tmp_path)


@pytest.mark.parametrize(
    ("table", "in_sql"),
    [
        ("./a/b", "delta.`{here}/a/b`"),
        (Path("a"), "delta.`{here}/a`"),
        ("/a/`b`", "delta.`/a/``b```"),
        ("s3a://b/t", "delta.`s3a://b/t`"),
        ("file:/t", "delta.`file:/t`"),
        ("db.orders", "db.orders"),
    ],
)
def test_sql_gets_absolute_paths(
    table: str | Path, in_sql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would take a relative path for the name of a table in a schema `delta`."""
    monkeypatch.chdir(tmp_path)
    assert table_in_sql(table) == in_sql.format(here=Path.cwd())
