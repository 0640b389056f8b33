# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A list of SQL statements for a table: the general part of its history, and ALTER TABLE."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from deltasource._options.validation import validate
from deltasource._testing.sql_text import are_texts, is_sql, pairs
from deltasource._testing.step import Step
from deltasource._text import sql_name

H = TypeVar("H", bound="Statements")

SQL_ALLOWED: Final = "must be SQL that is not empty"
NAME_ALLOWED: Final = "must be a column name"
PROPERTIES_ALLOWED: Final = "must map names of table properties to strings, and not be empty"


@dataclass(frozen=True)
class Statements:
    """A list of statements, each of which makes one commit."""

    steps: tuple[Step, ...] = ()

    def sql(self: H, before: str, after: str = "", *, rows: Sequence[Any] = ()) -> H:
        """Run any other statement that makes one commit.

        Args:
            before: The SQL before the table: "RESTORE TABLE".
            after: The SQL after the table: "TO VERSION AS OF 1".
            rows: Rows that it reads from the view `deltasource_testing_rows`, as for `append`.

        Returns:
            A new history.

        Raises:
            OptionsError: The SQL is empty.

        Example:
            >>> from deltasource.testing import TableHistory
            >>> print(*TableHistory().sql("TRUNCATE TABLE").steps)
            TRUNCATE TABLE the table
        """
        validate(("before", before, is_sql(before), SQL_ALLOWED))
        return replace(self, steps=(*self.steps, Step(before, after, tuple(rows))))

    def add_column(self: H, column: str) -> H:
        """Add a column.

        Args:
            column: Its name and type as in SQL: "note STRING".

        Returns:
            A new history.

        Raises:
            OptionsError: The column is empty.

        Example:
            >>> from deltasource.testing import TableHistory
            >>> print(*TableHistory().add_column("note STRING").steps)
            ALTER TABLE the table ADD COLUMNS (note STRING)
        """
        validate(("column", column, is_sql(column), SQL_ALLOWED))
        return self.sql("ALTER TABLE", f"ADD COLUMNS ({column})")

    def rename_column(self: H, column: str, to: str) -> H:
        """Rename a column; the table needs `column_mapping` before.

        Args:
            column: Its name.
            to: Its new name.

        Returns:
            A new history.

        Raises:
            OptionsError: A name is empty.

        Example:
            >>> from deltasource.testing import TableHistory
            >>> print(*TableHistory().column_mapping().rename_column("note", "remark").steps[1:])
            ALTER TABLE the table RENAME COLUMN `note` TO `remark`
        """
        validate(
            ("column", column, is_sql(column), NAME_ALLOWED),
            ("to", to, is_sql(to), NAME_ALLOWED),
        )
        return self.sql("ALTER TABLE", f"RENAME COLUMN {sql_name(column)} TO {sql_name(to)}")

    def set_properties(self: H, properties: Mapping[str, str]) -> H:
        """Set table properties.

        Args:
            properties: Their names and values.

        Returns:
            A new history.

        Raises:
            OptionsError: There are none, or one is not a string.

        Example:
            >>> from deltasource.testing import TableHistory
            >>> print(*TableHistory().set_properties({"delta.appendOnly": "true"}).steps)
            ALTER TABLE the table SET TBLPROPERTIES ('delta.appendOnly' = 'true')
        """
        validate(("properties", properties, are_texts(properties), PROPERTIES_ALLOWED))
        return self.sql("ALTER TABLE", f"SET TBLPROPERTIES ({pairs(properties)})")

    def deletion_vectors(self: H) -> H:
        """Turn deletion vectors on, which later deletes, updates and merges write.

        Returns:
            A new history.

        Example:
            >>> from deltasource.testing import TableHistory
            >>> history = TableHistory().deletion_vectors().delete("id = 1")
        """
        return self.set_properties({"delta.enableDeletionVectors": "true"})

    def column_mapping(self: H) -> H:
        """Turn column mapping by name on, so that columns can be renamed and dropped.

        Returns:
            A new history.

        Example:
            >>> from deltasource.testing import TableHistory
            >>> history = TableHistory().column_mapping().sql("ALTER TABLE", "DROP COLUMN note")
        """
        return self.set_properties({"delta.columnMapping.mode": "name"})
