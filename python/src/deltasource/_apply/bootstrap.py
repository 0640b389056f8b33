# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The rows that a new target has before any event."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterator
from functools import reduce
from typing import TYPE_CHECKING, Final

from deltasource._apply.key_changes import column
from deltasource._apply.settings import ApplySettings
from deltasource._apply.target_table import SEQUENCE, START_AT, kept_columns, target_schema
from deltasource._options import keys as options
from deltasource._options.column_names import ColumnNames, same
from deltasource._options.validation import Rule, validate
from deltasource._read.stream import load_if_exists
from deltasource._text import is_path, name_to_describe

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame
    from pyspark.sql.types import StructField

BATCH_ALLOWED: Final = "must be a batch DataFrame, such as spark.read.table returns"
NOT_KEPT: Final = "must not have columns that the target does not keep: drop them"
ALL_KEPT: Final = "must have all columns that the target keeps, and lacks: {missing}"
ONE_ROW: Final = "must have one row for each key, and no null in a key"
NEW_TARGET: Final = (
    "must be left out, because {target} exists already. Its rows count as older than all events,"
    " unless they have the columns of sequence_by (type 1)"
)
MARK: Final = "deltasource bootstrap"
"""The user metadata of the commit that creates a target with its first rows."""


def rules(
    bootstrap: DataFrame | None, changes: DataFrame, settings: ApplySettings | None
) -> Iterator[Rule]:
    """Return the rules for the first rows.

    Args:
        bootstrap: The first rows; None if there are none.
        changes: The events.
        settings: What the target keeps; None if the settings are invalid, and nobody can say.
    """
    if bootstrap is None:
        return
    if not hasattr(bootstrap, "isStreaming"):
        yield "bootstrap", bootstrap, False, BATCH_ALLOWED
        return
    yield "bootstrap", "a stream", not bootstrap.isStreaming, BATCH_ALLOWED
    if settings is None:
        return
    given = ColumnNames(bootstrap.dtypes)
    kept = [name for name, _ in kept_columns(changes, settings)]
    sequence = settings.sequence_by or ()
    needed = [one for one in kept if not any(same(one, other) for other in sequence)]
    missing = [one for one in needed if given.find(one) is None]
    allowed = ALL_KEPT.format(missing=", ".join(missing))
    yield "bootstrap", [name for name, _ in bootstrap.dtypes], not missing, allowed
    for name, _ in bootstrap.dtypes:
        known = any(same(name, other) for other in (*kept, *sequence))
        yield "bootstrap", name, known, NOT_KEPT


def create_once(
    bootstrap: DataFrame,
    changes: DataFrame,
    target: str | os.PathLike[str],
    settings: ApplySettings,
) -> None:
    """Create the target with its first rows, unless an earlier call has done so."""
    spark = bootstrap.sparkSession
    if load_if_exists(spark, target) is not None:
        name = os.fspath(target)
        is_ours = _is_bootstrapped(bootstrap, target)
        validate(("bootstrap", "a DataFrame", is_ours, NEW_TARGET.format(target=name)))
        return
    validate(("bootstrap", "a DataFrame", _has_one_row_per_key(bootstrap, settings), ONE_ROW))
    fields = target_schema(changes, settings)
    rows = bootstrap.select(*(_value(field, bootstrap, settings) for field in fields))
    writer = rows.write.format("delta").option(options.USER_METADATA, MARK)
    if is_path(target):
        writer.save(os.fspath(target))
    else:
        writer.saveAsTable(os.fspath(target))


def _is_bootstrapped(bootstrap: DataFrame, target: str | os.PathLike[str]) -> bool:
    """Whether the first commit of a target has its first rows, or is so old that it is gone."""
    from pyspark.errors import AnalysisException
    from pyspark.sql import functions as sql

    spark = bootstrap.sparkSession
    details = spark.sql(f"DESCRIBE DETAIL {name_to_describe(target)}")
    folder = details.select("location").collect()[0][0]
    try:
        lines = spark.read.text(posixpath.join(folder, "_delta_log", f"{0:020}.json"))
        return bool(lines.where(sql.col("value").contains(f'"userMetadata":"{MARK}"')).head(1))
    except AnalysisException as error:
        if error.getCondition() != "PATH_NOT_FOUND":
            raise
        return True


def _has_one_row_per_key(bootstrap: DataFrame, settings: ApplySettings) -> bool:
    from pyspark.sql import functions as sql

    keys = [column(name) for name in settings.keys]
    is_null = reduce(lambda one, other: one | other, (key.isNull() for key in keys))
    counted = bootstrap.groupBy(*keys).agg(sql.count("*").alias("_rows"))
    return not counted.where((sql.col("_rows") > 1) | is_null).head(1)


def _value(field: StructField, bootstrap: DataFrame, settings: ApplySettings) -> Column:
    """Return a column of the target: without a sequence, a row is older than all events."""
    from pyspark.sql import functions as sql

    given = ColumnNames(bootstrap.dtypes)
    if given.find(field.name) is not None:
        value = column(field.name)
    elif field.name in (START_AT, SEQUENCE):
        value = _sequence(given, settings)
    else:
        value = sql.lit(None)
    return value.cast(field.dataType).alias(field.name)


def _sequence(given: ColumnNames, settings: ApplySettings) -> Column:
    from pyspark.sql import functions as sql

    names = settings.sequence_by or ()
    if not names or len(given.all_found(names)) < len(names):
        return sql.lit(None)
    found = [column(name) for name in names]
    is_known = reduce(lambda one, other: one & other, (one.isNotNull() for one in found))
    return sql.when(is_known, found[0] if len(found) == 1 else sql.struct(*found))
