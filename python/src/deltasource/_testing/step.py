# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""One operation on a table, as SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Step:
    """One SQL statement on a table; it makes one commit.

    Args:
        before: The SQL before the table.
        after: The SQL after the table.
        rows: The rows that the statement reads; () if it reads none.

    Example:
        >>> from deltasource.testing import TableHistory
        >>> [step] = TableHistory().delete("id = 1").steps
        >>> print(step)
        DELETE FROM the table WHERE id = 1
    """

    before: str
    after: str = ""
    rows: Sequence[Any] = ()

    def __str__(self) -> str:
        """Return the SQL, without the name of a table."""
        return self.statement("the table")

    def statement(self, table: str) -> str:
        """Return the SQL for a table.

        Args:
            table: The table, as SQL names it.

        Returns:
            The statement.

        Example:
            >>> from deltasource.testing import Step
            >>> Step("OPTIMIZE").statement("orders")
            'OPTIMIZE orders'
        """
        return f"{self.before} {table} {self.after}".rstrip()
