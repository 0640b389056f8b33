# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The result of `doctor`: its checks, and how to fix those that failed."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, TypeAlias

from deltasource import _html as html

Status: TypeAlias = Literal["ok", "warn", "fail"]

_COLORS: Final = {"ok": html.GREEN, "warn": html.ORANGE, "fail": html.RED}


@dataclass(frozen=True, kw_only=True)
class DoctorCheck:
    """One check of `doctor`.

    Args:
        check: The name of the check, such as "Java" or "DeltaSource".
        status: "ok", "warn" or "fail".
        found: What the check found.
        fix: What to change; empty if the status is "ok".

    Example:
        >>> from deltasource import DoctorCheck
        >>> DoctorCheck(check="Java", status="ok", found="17.0.12").status
        'ok'
    """

    check: str
    status: Status
    found: str
    fix: str = ""


@dataclass(frozen=True, repr=False)
class Report:
    """The result of `doctor`.

    Args:
        rows: The checks, in an order in which a failure can cause only later ones.

    Example:
        >>> from deltasource import DoctorCheck, Report
        >>> java = DoctorCheck(check="Java", status="fail", found="11", fix="install Java 17")
        >>> print(Report((java,)))
        fail  Java  11
                    -> install Java 17
    """

    rows: tuple[DoctorCheck, ...]

    @property
    def ok(self) -> bool:
        """Whether no check failed; warnings do not count."""
        return all(row.status != "fail" for row in self.rows)

    @property
    def cause(self) -> DoctorCheck | None:
        """The check to fix first, because it may cause the later failures. None if none failed.

        The order is Java, Spark, Scala, this package, the classes, then settings and workers.
        """
        return next((row for row in self.rows if row.status == "fail"), None)

    def __str__(self) -> str:
        """Return one line for each check, how to fix it, and which failure to fix first."""
        width = max((len(row.check) for row in self.rows), default=0)
        lines: list[str] = []
        for row in self.rows:
            lines.append(f"{row.status:<4}  {row.check:<{width}}  {row.found}")
            lines += [f"{'':<{width + 8}}-> {row.fix}"] if row.fix else []
        if self.cause is not None and sum(row.status == "fail" for row in self.rows) > 1:
            lines.append(f"Fix {self.cause.check} first: it may cause the other failures.")
        return "\n".join(lines)

    def __repr__(self) -> str:
        """Return the same as `str`: a shell prints the report as a table."""
        return str(self)

    def _repr_html_(self) -> str:
        """Return the report as a table, for notebooks."""
        rows = [
            (html.colored(row.status, _COLORS[row.status]), row.check, row.found, row.fix)
            for row in self.rows
        ]
        first = "" if self.cause is None else f"fix {self.cause.check} first"
        return html.page(
            html.heading("deltasource doctor", first or "nothing to fix"),
            html.table(("status", "check", "found", "fix"), rows),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain values, for JSON.

        Returns:
            `schema_version`, which changes when the keys change, `ok`, and `rows`.

        Example:
            >>> from deltasource import Report
            >>> Report(()).to_dict()
            {'schema_version': 1, 'ok': True, 'rows': []}
        """
        return {"schema_version": 1, "ok": self.ok, "rows": [asdict(row) for row in self.rows]}
