# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The error for a path without a table, with a reader that fails as Spark does."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest
from pyspark.errors import AnalysisException, ParseException

from deltasource import OptionsError, TableError, read_changes, read_stream
from deltasource._read.stream import load
from support.fake_readers import Failed
from support.fake_writers import Writer, written


def reader(condition: str = "DELTA_SCHEMA_NOT_SET") -> Any:
    """Return a reader whose `load` fails with a condition."""

    def fail(_path: str) -> NoReturn:
        raise Failed(condition)

    def delta(_name: str) -> SimpleNamespace:
        return SimpleNamespace(load=fail)

    return SimpleNamespace(format=delta)


def message(path: str | Path) -> str:
    with pytest.raises(TableError) as error:
        load(reader(), path)
    assert isinstance(error.value.__cause__, AnalysisException)
    return str(error.value).removesuffix(" (see `deltasource explain-error DELTA_TABLE_NOT_FOUND`)")


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with two tables and a folder that is none; it is the working folder."""
    (tmp_path / "orders" / "_delta_log").mkdir(parents=True)
    (tmp_path / "orders" / "day=1").mkdir()
    (tmp_path / "customers" / "_delta_log").mkdir(parents=True)
    (tmp_path / "order").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("path", ["./ordres", Path("ordres"), "file:{}/ordres", "{}/ordres"])
def test_the_error_has_the_path_and_the_nearest_table(path: str | Path, tables: Path) -> None:
    """A misspelled name, given as any kind of local path, gets the similar one next to it."""
    given = path.format(tables) if isinstance(path, str) else path
    assert message(given) == (
        f"[DELTA_TABLE_NOT_FOUND] there is no Delta table at {given}: {tables}/ordres does not "
        f"exist. Did you mean {tables}/orders?"
    )


def test_a_folder_that_is_no_table_is_named(tables: Path) -> None:
    """Only folders with a log are suggested."""
    assert message("./order").endswith(
        f"{tables}/order contains no _delta_log. Did you mean {tables}/orders?"
    )


def test_a_folder_inside_a_table_gets_the_table(tables: Path) -> None:
    """A partition is no table."""
    assert message("orders/day=1").endswith(f"Did you mean {tables}/orders?")


def test_without_a_similar_table_none_is_suggested(tables: Path) -> None:
    """The path alone is shown, also for a path that only the session can read."""
    assert message("./zzz").endswith(f"{tables}/zzz does not exist. Check the path")
    assert message("/nowhere/at/all").endswith("does not exist. Check the path")
    assert message("s3a://bucket/t").endswith("no Delta table at s3a://bucket/t. Check the path")


def test_a_log_without_a_schema_is_not_called_missing(tables: Path) -> None:
    """Delta gives the same error for a table whose first commit has no schema."""
    said = message("./orders")
    assert f"{tables}/orders has no schema yet" in said
    assert f"Did you mean {tables}/orders" not in said


def test_a_file_and_a_quoted_path_are_named(tables: Path) -> None:
    """Both look like a table that is not there."""
    (tables / "afile").touch()
    assert f"{tables}/afile is a file, not the folder of a table." in message("./afile")
    assert message("delta.`/x/t`").endswith("Give the path alone: '/x/t'")


def test_a_name_that_is_a_folder_gets_its_path(tables: Path) -> None:
    """Text without a slash is a name, and Spark's error does not say so."""

    def fail(_name: str) -> NoReturn:
        raise Failed("TABLE_OR_VIEW_NOT_FOUND")

    catalog: Any = SimpleNamespace(table=fail)
    with pytest.raises(TableError, match=r"but .*/orders is one: .* so give './orders'"):
        load(catalog, "orders")
    with pytest.raises(TableError, match=r"no table named order in the catalog. .* as './order'"):
        load(catalog, "order")
    assert (tables / "order").is_dir()


def test_a_name_gets_the_nearest_name_of_its_schema() -> None:
    """The catalog of the session is asked; a temporary view is no table."""

    def fail(_name: str) -> NoReturn:
        raise Failed("TABLE_OR_VIEW_NOT_FOUND")

    def listed(schema: str | None) -> list[SimpleNamespace]:
        if schema == "closed":
            raise AnalysisException("[UNSUPPORTED_FEATURE] This catalog cannot list its tables.")
        return [
            SimpleNamespace(name="orders" if schema else "current", isTemporary=False),
            SimpleNamespace(name="ordres", isTemporary=True),
        ]

    catalog: Any = SimpleNamespace(table=fail)
    schemas = [SimpleNamespace(name="shop"), SimpleNamespace(name="closed")]

    def exists(name: str) -> bool:
        return any(one.name == name for one in schemas)

    asked = SimpleNamespace(listTables=listed, listDatabases=lambda: schemas, databaseExists=exists)
    session: Any = SimpleNamespace(catalog=asked)
    for name, said in {
        "shop.ordres": "in the catalog. Did you mean shop.orders?",
        "shop.`Ordres`": "in the catalog. Did you mean shop.orders?",
        "shp.orders": "in the catalog. Did you mean shop.orders?",
        "zzz.orders": "in the catalog. Check the name, or give the path of a folder as './zzz",
        "curent": "in the catalog. Did you mean current?",
        "shop.zzz": "in the catalog. Check the name, or give the path of a folder as './shop.zzz'",
        "closed.orders": "in the catalog. Check the name, or",
    }.items():
        with pytest.raises(TableError) as error:
            load(catalog, name, session)
        assert f"there is no table named {name} {said}" in str(error.value)


def test_a_folder_of_parquet_files_can_be_converted(tables: Path) -> None:
    """A table that lost its log cannot: its own files are not all of its rows."""
    (tables / "order" / "part-0.parquet").touch()
    assert message("./order").endswith(
        f"contains no _delta_log. Its Parquet files become a Delta table with CONVERT TO DELTA "
        f"parquet.`{tables}/order`"
    )
    (tables / "orders" / "part-0.parquet").touch()
    assert "CONVERT" not in message("./orders")
    (tables / "orders" / "day=1" / "part-0.parquet").touch()
    assert message("orders/day=1").endswith(f"Did you mean {tables}/orders?")


def unparsed(_name: str) -> NoReturn:
    raise ParseException("Possibly unquoted identifier my-orders detected.")


def test_a_name_that_spark_cannot_parse_gets_its_path_or_quotes(tables: Path) -> None:
    """Spark's error is about syntax, and does not say how to give a folder."""
    catalog: Any = SimpleNamespace(table=unparsed)
    (tables / "my-orders" / "_delta_log").mkdir(parents=True)
    with pytest.raises(TableError, match=r"but .*/my-orders is a table: give './my-orders'"):
        load(catalog, "my-orders")
    quoted = r"cannot parse db.my-copy: give the name as 'db.`my-copy`', or .* as './db.my-copy'"
    with pytest.raises(TableError, match=quoted):
        load(catalog, "db.my-copy")


def test_a_written_table_with_such_a_name_gets_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A query that is started is refused as a read is."""

    def refusing(_: object, name: str) -> object:
        return unparsed(name)

    monkeypatch.setattr(Writer, "toTable", refusing)
    with pytest.raises(TableError, match="give the name as '`my-copy`', or the path"):
        written("my-copy", checkpoint="c")


@pytest.mark.parametrize("table", [None, 5, "", " "])
def test_a_table_is_a_path_or_a_name(table: Any) -> None:
    """Anything else is refused before Spark sees it."""
    with pytest.raises(OptionsError, match="path_or_table must be the path or the name"):
        load(reader(), table)


def test_only_a_session_reads() -> None:
    """The arguments in the wrong order are named."""
    session: Any = "./orders"
    with pytest.raises(OptionsError, match="spark must be a session"):
        read_stream(session, "x")
    with pytest.raises(OptionsError, match="spark must be a session"):
        read_changes(session, "x", start=1)


def test_other_errors_of_spark_stay() -> None:
    """Only the errors that mean a missing table are replaced."""
    with pytest.raises(Failed):
        load(reader("PARSE_SYNTAX_ERROR"), "./ordres")
