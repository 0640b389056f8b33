# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The history of a table: operations that make one commit each."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, Final

from deltasource._options.column_names import NAMES_ALLOWED, are_names, as_names
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._options.schema_tracking import is_location
from deltasource._options.validation import TABLE_ALLOWED, validate
from deltasource._testing.run_steps import ROWS_VIEW, run_steps
from deltasource._testing.sql_text import are_rows, are_texts, is_sql, pairs
from deltasource._testing.statements import PROPERTIES_ALLOWED, SQL_ALLOWED, Statements
from deltasource._text import sql_name
from deltasource._types import SessionLike

ROWS_ALLOWED: Final = "must be a list of tuples or dicts, one for each row, that is not empty"


class TableHistory(Statements):
    """A list of operations for a table, each of which makes one commit.

    Each method returns a new history with one more operation; `apply` runs them. Conditions and
    assignments are SQL.

    Args:
        steps: The operations, () for a new history.

    Example:
        >>> from deltasource.testing import TableHistory
        >>> orders = TableHistory().create("id LONG, amount DOUBLE")
        >>> orders = orders.append([(1, 9.5), (2, 3.0)]).delete("id = 1")
        >>> orders.apply(spark, "/tables/orders")  # doctest: +SKIP
        (0, 1, 2)
    """

    @with_keyword_hints
    def apply(self, spark: SessionLike, path_or_table: str | os.PathLike[str]) -> tuple[int, ...]:
        """Run all operations on a table.

        Args:
            spark: A session of classic Spark or of Spark Connect.
            path_or_table: The table. An `os.PathLike` is a path, and so is text with a slash or a
                scheme; any other text is the name of a table.

        Returns:
            The table version after each operation.

        Raises:
            OptionsError: The path is empty, or a row has a column that the table does not have.
            TableError: There is no table, and the first operation does not create it.
            NoCommitError: An operation made no commit, for example a delete of no rows.
            StepError: Spark or Delta refused an operation, for example a row of another type.

        Example:
            >>> from deltasource.testing import TableHistory
            >>> TableHistory().append([(3, 1.0)]).apply(spark, "/tables/orders")  # doctest: +SKIP
            (3,)
        """
        given = is_location(path_or_table)
        validate(("path_or_table", path_or_table, given, TABLE_ALLOWED))
        return run_steps(spark, path_or_table, self.steps)

    @with_keyword_hints
    def create(
        self,
        columns: str,
        *,
        partition_by: str | Sequence[str] = (),
        properties: Mapping[str, str] | None = None,
    ) -> TableHistory:
        """Create the table. Without this, the history continues a table that exists.

        Args:
            columns: The columns as in SQL: "id LONG, amount DOUBLE".
            partition_by: The partition columns.
            properties: Table properties, such as {"delta.enableChangeDataFeed": "true"}.

        Returns:
            A new history.

        Raises:
            OptionsError: An argument is invalid.

        Example:
            >>> from deltasource.testing import TableHistory
            >>> print(*TableHistory().create("id LONG, day DATE", partition_by="day").steps)
            CREATE TABLE the table (id LONG, day DATE) USING delta PARTITIONED BY (`day`)
        """
        chosen = {} if properties is None else properties
        names = as_names(partition_by)
        validate(
            ("columns", columns, is_sql(columns), SQL_ALLOWED),
            ("partition_by", partition_by, not names or are_names(names), NAMES_ALLOWED),
            ("properties", properties, not chosen or are_texts(chosen), PROPERTIES_ALLOWED),
        )
        layout = f" PARTITIONED BY ({', '.join(map(sql_name, names))})" if names else ""
        more = f" TBLPROPERTIES ({pairs(chosen)})" if chosen else ""
        return self.sql("CREATE TABLE", f"({columns}) USING delta{layout}{more}")

    @with_keyword_hints
    def append(self, rows: Sequence[Any]) -> TableHistory:
        """Append rows in one file.

        Args:
            rows: For each row, a tuple with all columns of the table, or a dict by their names; a
                column that a dict does not have is null.

        Returns:
            A new history.

        Raises:
            OptionsError: There are no rows, or one is neither a tuple nor a dict.

        Example:
            >>> from deltasource.testing import TableHistory
            >>> len(TableHistory().append([(1, 9.5)]).append([{"id": 2, "amount": None}]).steps)
            2
        """
        validate(("rows", rows, are_rows(rows), ROWS_ALLOWED))
        return self.sql("INSERT INTO", f"SELECT * FROM {ROWS_VIEW}", rows=rows)

    @with_keyword_hints
    def delete(self, where: str) -> TableHistory:
        """Delete rows.

        Args:
            where: Which rows, as SQL: "id = 1".

        Returns:
            A new history.

        Raises:
            OptionsError: The condition is empty.

        Example:
            >>> from deltasource.testing import TableHistory
            >>> print(*TableHistory().delete("amount > 5").steps)
            DELETE FROM the table WHERE amount > 5
        """
        validate(("where", where, is_sql(where), SQL_ALLOWED))
        return self.sql("DELETE FROM", f"WHERE {where}")

    @with_keyword_hints
    def update(self, assignments: str, *, where: str = "true") -> TableHistory:
        """Update rows.

        Args:
            assignments: What changes, as SQL: "amount = amount * 2, note = NULL".
            where: Which rows, as SQL; all by default.

        Returns:
            A new history.

        Raises:
            OptionsError: An argument is empty.

        Example:
            >>> from deltasource.testing import TableHistory
            >>> print(*TableHistory().update("amount = 0", where="id = 1").steps)
            UPDATE the table SET amount = 0 WHERE id = 1
        """
        validate(
            ("assignments", assignments, is_sql(assignments), SQL_ALLOWED),
            ("where", where, is_sql(where), SQL_ALLOWED),
        )
        return self.sql("UPDATE", f"SET {assignments} WHERE {where}")

    @with_keyword_hints
    def merge(self, rows: Sequence[Any], *, on: str | Sequence[str]) -> TableHistory:
        """Update the rows that have the same keys as one of these, and insert the others.

        Args:
            rows: The rows, as for `append`.
            on: The key columns.

        Returns:
            A new history.

        Raises:
            OptionsError: An argument is invalid.

        Example:
            >>> from deltasource.testing import TableHistory
            >>> history = TableHistory().merge([(2, 8.0), (3, 1.0)], on="id")
        """
        names = as_names(on)
        validate(
            ("rows", rows, are_rows(rows), ROWS_ALLOWED),
            ("on", on, are_names(names), NAMES_ALLOWED),
        )
        same = " AND ".join(f"t.{sql_name(key)} = s.{sql_name(key)}" for key in names)
        after = (
            f"t USING {ROWS_VIEW} s ON {same}"
            " WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
        )
        return self.sql("MERGE INTO", after, rows=rows)

    def optimize(self) -> TableHistory:
        """Compact the files of the table; it needs more than one file.

        Returns:
            A new history.

        Example:
            >>> from deltasource.testing import TableHistory
            >>> print(*TableHistory().optimize().steps)
            OPTIMIZE the table
        """
        return self.sql("OPTIMIZE")
