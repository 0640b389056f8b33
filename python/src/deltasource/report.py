# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What the doctor found: a row for each check, with the change to make where one is wrong."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias

Status: TypeAlias = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, kw_only=True)
class Row:
    """One check: its name, its verdict, what was found, and what to change if it is not ok."""

    check: str
    status: Status
    found: str
    fix: str = ""


@dataclass(frozen=True)
class Report:
    """The rows of one examination; `ok` unless one of them failed, for which there is a `cause`."""

    rows: tuple[Row, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing failed; a warning is not a failure."""
        return all(row.status != "fail" for row in self.rows)

    @property
    def cause(self) -> Row | None:
        """What to mend first: a failure further down may follow from it. None if nothing failed.

        The checks stand in the order in which one makes the next fail: Java, Spark, Scala, this
        package, the classes, then settings and workers.
        """
        return next((row for row in self.rows if row.status == "fail"), None)

    def __str__(self) -> str:
        """Write a line for each check, below it what to change, and at the end where to begin."""
        width = max((len(row.check) for row in self.rows), default=0)
        lines: list[str] = []
        for row in self.rows:
            lines.append(f"{row.status:<4}  {row.check:<{width}}  {row.found}")
            lines += [f"{'':<{width + 8}}-> {row.fix}"] if row.fix else []
        if self.cause is not None and sum(row.status == "fail" for row in self.rows) > 1:
            lines.append(f"Mend {self.cause.check} first: the rest may follow from it.")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Give the same as plain values, in a form whose version changes when its keys do."""
        return {"schema_version": 1, "ok": self.ok, "rows": [asdict(row) for row in self.rows]}
