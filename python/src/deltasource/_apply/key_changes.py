# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What became of each key: its rows before and after, compared."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING, Final

from deltasource._apply.settings_rules import FEED_COLUMNS
from deltasource._errors import OptionsError
from deltasource._invalid_option import InvalidOption
from deltasource._options.column_names import ColumnNames
from deltasource._text import short_repr, sql_name

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

CHANGE, VERSION, _ = FEED_COLUMNS
BEFORE: Final = ("delete", "update_preimage")

TWO_ROWS: Final = "two rows have one key in one version: "
NO_KEY: Final = "a row has a null in its key: "

_WITHOUT_EQUALITY: Final = ("map<", "variant")


@dataclass(frozen=True)
class KeyChanges:
    """Compares rows by their keys.

    Args:
        columns: The columns of the rows, without those that a change feed adds.
        keys: The names of the keys among them.
        caller: The function that the user has called, for errors.
    """

    columns: ColumnNames
    keys: Sequence[str]
    caller: str

    def in_order(self, feed: DataFrame) -> DataFrame:
        """Return the changes between the first and the last version of a change feed."""
        from pyspark.sql import functions as sql

        by_version = self._states(feed, [*map(column, self.keys), sql.col(VERSION)])
        states = by_version.groupBy(*map(column, self.keys)).agg(
            sql.min_by("_before", VERSION).alias("_before"),
            sql.max_by("_after", VERSION).alias("_after"),
        )
        return self._changes(states)

    def between(self, before: DataFrame | None, after: DataFrame) -> DataFrame:
        """Return the changes from one set of rows to another; None is an empty one."""
        from pyspark.sql import functions as sql

        names = [name for name, _ in self.columns.dtypes]
        rows = after.select(*map(column, names), sql.lit("insert").alias(CHANGE))
        if before is not None:
            old = before.select(*map(column, names), sql.lit("delete").alias(CHANGE))
            rows = rows.unionByName(old)
        by = [column(name) for name in self.keys]
        states = self._states(rows, by)
        no_key = reduce(lambda one, other: one | other, (key.isNull() for key in by))
        return self._changes(states.where(~self._failing(no_key, NO_KEY, by)))

    def _states(self, rows: DataFrame, by: Sequence[Column]) -> DataFrame:
        """Return the rows before and after of each group; fail if it has two of a kind."""
        from pyspark.sql import functions as sql

        # A key may be the only column, and a struct needs one.
        values = sql.struct(sql.lit(1).alias("_"), *map(column, self._rest))
        is_before = sql.col(CHANGE).isin(*BEFORE)
        states = rows.groupBy(*by).agg(
            sql.count_if(is_before).alias("_befores"),
            sql.count_if(~is_before).alias("_afters"),
            sql.first(sql.when(is_before, values), ignorenulls=True).alias("_before"),
            sql.first(sql.when(~is_before, values), ignorenulls=True).alias("_after"),
        )
        two = (sql.col("_befores") > 1) | (sql.col("_afters") > 1)
        return states.where(~self._failing(two, TWO_ROWS, by))

    def _failing(self, condition: Column, message: str, by: Sequence[Column]) -> Column:
        from pyspark.sql import functions as sql

        key = sql.to_json(sql.struct(*by))
        error = sql.raise_error(sql.concat(sql.lit(f"{self.caller}: {message}"), key))
        return sql.coalesce(sql.when(condition, error.cast("boolean")), sql.lit(False))

    @property
    def _rest(self) -> Sequence[str]:
        return [name for name, _ in self.columns.dtypes if name not in self.keys]

    def _changes(self, states: DataFrame) -> DataFrame:
        return states.where(~self._equal()).select(
            *[self._chosen(name) for name, _ in self.columns.dtypes], _change_type()
        )

    def _chosen(self, name: str) -> Column:
        from pyspark.sql import functions as sql

        if name in self.keys:
            return column(name)
        after, before = sql.col("_after"), sql.col("_before")
        value = sql.when(after.isNull(), before.getField(name)).otherwise(after.getField(name))
        return value.alias(name)

    def _equal(self) -> Column:
        """Whether both states are the same; two that do not exist are."""
        from pyspark.sql import functions as sql

        def same(name: str) -> Column:
            kind = dict(self.columns.dtypes)[name]
            before, after = sql.col("_before").getField(name), sql.col("_after").getField(name)
            if any(one in kind for one in _WITHOUT_EQUALITY):
                # Spark does not compare these. Maps whose entries have another order count as
                # changed.
                before, after = sql.to_json(sql.struct(before)), sql.to_json(sql.struct(after))
            return before.eqNullSafe(after)

        exist = sql.col("_before").isNull() == sql.col("_after").isNull()
        return reduce(lambda one, other: one & other, map(same, self._rest), exist)


def _change_type() -> Column:
    from pyspark.sql import functions as sql

    deleted = sql.when(sql.col("_after").isNull(), "delete")
    return deleted.when(sql.col("_before").isNull(), "insert").otherwise("update").alias(CHANGE)


def column(name: str) -> Column:
    """Return a column by its name as it is, which may contain dots."""
    from pyspark.sql import functions as sql

    return sql.col(sql_name(name))


@contextmanager
def key_errors_named(keys: Sequence[str], snapshot: str) -> Generator[None, None, None]:
    """Raise OptionsError if the block fails because of the keys; Spark hides it in a long text."""
    try:
        yield
    except Exception as error:
        found = re.search(rf"((?:{TWO_ROWS}|{NO_KEY})\{{.*?\}})", str(error))
        if found is None:
            raise
        reason = f"must identify each row of {snapshot}: {found[1]}"
        # The Java stack says nothing else.
        raise OptionsError([InvalidOption("keys", short_repr(keys), reason)]) from None
