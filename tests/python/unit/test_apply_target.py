# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The target of `apply_changes`: a path, or a table of the catalog that it creates."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest
from pyspark.sql.types import (
    DataType,
    DateType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

import deltasource
from support.fake_events import FEED, Events
from support.fake_writers import EmptyCatalog

TYPES: dict[str, DataType] = {
    "int": IntegerType(),
    "bigint": LongType(),
    "string": StringType(),
    "date": DateType(),
    "timestamp": TimestampType(),
}


@dataclass
class Catalog(EmptyCatalog):
    """A fake catalog and its session, which records the tables that are created."""

    created: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def catalog(self) -> Catalog:
        return self

    def tableExists(self, table: str) -> bool:  # noqa: N802 - Spark's name
        return table in self.created

    def createTable(self, table: str, source: str, schema: StructType) -> None:  # noqa: N802
        assert source == "delta"
        self.created[table] = schema.simpleString()


@pytest.mark.parametrize(
    ("columns", "arguments", "schema"),
    [
        ("id int, name string, seq bigint", {}, "id:int,name:string,seq:bigint"),
        (
            "id int, name string, seq bigint",
            {"except_column_list": ["SEQ"]},
            "id:int,name:string,__SEQUENCE:bigint",
        ),
        (
            "id int, name string, seq date",
            {"column_list": ["name", "ID"], "stored_as_scd_type": 2},
            "id:int,name:string,__START_AT:date,__END_AT:date",
        ),
        (
            "id int, a int, b date",
            {"sequence_by": ["a", "b"], "column_list": ["id"]},
            "id:int,__SEQUENCE:struct<a:int,b:date>",
        ),
        (
            ", ".join(map(" ".join, FEED)),
            {"sequence_by": None},
            "id:int,name:string,__SEQUENCE:bigint",
        ),
        (
            ", ".join(map(" ".join, FEED)),
            {
                "sequence_by": "_commit_version",
                "apply_as_deletes": "_change_type = 'delete'",
                "except_column_list": ["_commit_timestamp"],
            },
            "id:int,name:string,_change_type:string,_commit_version:bigint",
        ),
    ],
)
def test_a_new_table_has_the_columns_of_the_target(
    columns: str, arguments: dict[str, Any], schema: str
) -> None:
    """A table of the catalog is created with what the sink writes, and only once."""
    given: dict[str, Any] = {"keys": ["id"], "sequence_by": "seq", **arguments}
    types = [cast(tuple[str, str], tuple(one.split())) for one in columns.split(", ")]
    events: Any = Events(types)
    events.schema = StructType([StructField(name, TYPES[kind]) for name, kind in types])
    events.sparkSession = Catalog()
    for _ in range(2):
        query: Any = deltasource.apply_changes(events, "customers", checkpoint="c", **given)
        assert query["toTable"] == "customers"
    assert events.sparkSession.created == {"customers": f"struct<{schema}>"}


def test_a_path_is_started(tmp_path: Path) -> None:
    """A path object is a path, and so is text with a slash; the sink creates the table."""
    for target in (tmp_path, f"{tmp_path}/t"):
        events: Any = Events()
        query: Any = deltasource.apply_changes(
            events, target, checkpoint="c", keys=["id"], sequence_by="seq"
        )
        assert query["start"] == str(target)
