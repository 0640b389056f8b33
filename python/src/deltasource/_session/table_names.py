# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Names of tables: those that Spark cannot parse, and those similar to one that does not exist."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from deltasource._errors import TableError
from deltasource._types import SessionLike

_NO_CATALOG: Final = ("REQUIRES_SINGLE_PART_NAMESPACE", "CATALOG_NOT_FOUND")
"""The conditions for a name with more parts than a schema and a table."""


@contextmanager
def named_if_not_a_name(name: str) -> Generator[None, None, None]:
    """Raise TableError if Spark cannot parse a name, or no catalog has a schema as it says."""
    from pyspark.errors import AnalysisException, ParseException

    try:
        yield
    except ParseException as error:
        raise TableError(_explain(name)) from error
    except AnalysisException as error:
        schema = name.rpartition(".")[0]
        if error.getCondition() in _NO_CATALOG:
            raise TableError(
                f"there is no table {name}: the session has no catalog {name.partition('.')[0]}. "
                "Give the name as table or schema.table, or as catalog.schema.table with a catalog "
                "that spark.sql.catalog.<catalog> sets"
            ) from error
        if error.getCondition() == "INVALID_SCHEMA_OR_RELATION_NAME":
            raise TableError(
                f"{name} cannot be the name of a new table, which has letters, digits and _ only: "
                "choose another name, or give the path of a folder, with a slash"
            ) from error
        if error.getCondition() != "SCHEMA_NOT_FOUND":
            raise
        raise TableError(
            f"there is no schema {schema} for the table {name}: check its name, or create it with "
            f"CREATE SCHEMA {schema}"
        ) from error


def is_table(folder: Path) -> bool:
    """Whether a local folder has the log of a table."""
    try:
        return (folder / "_delta_log").is_dir()
    except (OSError, ValueError):
        return False


def nearest_table(folder: Path) -> Path | None:
    """Return the table that contains a folder, or one next to it with a similar name."""
    inside = next((one for one in folder.parents if is_table(one)), None)
    if inside is not None:
        return inside
    try:
        others = (one for one in folder.parent.iterdir() if one != folder)
        siblings = {one.name: one for one in others if is_table(one)}
    except OSError:
        return None
    similar = get_close_matches(folder.name, siblings, n=1, cutoff=0.7)
    return siblings[similar[0]] if similar else None


def nearest_name(spark: SessionLike, name: str) -> str | None:
    """Return the name of a table that is similar, in the same schema or a similar one, or None."""
    from pyspark.errors import PySparkException

    session: Any = spark
    schema, _, wanted = name.rpartition(".")
    try:
        if schema and not session.catalog.databaseExists(schema):
            schemas = [one.name for one in session.catalog.listDatabases()]
            near = get_close_matches(schema.lower(), schemas, n=1, cutoff=0.6)
            if not near:
                return None
            schema = near[0]
        tables = session.catalog.listTables(schema or None)
    except PySparkException:
        return None  # Not every catalog can list its tables.
    names = [one.name for one in tables if not one.isTemporary]
    similar = get_close_matches(wanted.strip("`").lower(), names, n=1, cutoff=0.6)
    return ".".join(filter(None, (schema, *similar))) if similar else None


def _explain(name: str) -> str:
    folder = Path(name)
    why = f"text without a slash is the name of a table, and Spark cannot parse {name}"
    if is_table(folder):
        return f"{why}, but {folder.absolute()} is a table: give './{name}'"
    return f"{why}: give the name as {_quoted(name)!r}, or the path of a folder as './{name}'"


def _quoted(name: str) -> str:
    """Return a name with backticks around each part that needs them."""
    parts = name.replace("`", "").split(".")
    return ".".join(one if re.fullmatch(r"\w+", one) else f"`{one}`" for one in parts)
