# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What the demo says at its end."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date

from rich.console import Console
from rich.table import Table

from demo.compare import Day, differences, miscounts


@dataclass(frozen=True)
class Report:
    """The same days three times, and every way in which they are not the same."""

    counted: Mapping[date, int]
    expected: dict[date, Day]
    found: dict[date, Day]

    @property
    def wrong(self) -> Mapping[str, date]:
        """Answer what is wrong, in words, with its day."""
        different = {str(one): one.date for one in differences(self.expected, self.found)}
        miscounted = {str(one): one.date for one in miscounts(self.counted, self.found)}
        return {**different, **miscounted}

    def show(self, console: Console, facts: Mapping[str, str]) -> None:
        """Print the sums of all sides, what else is known, and the verdict."""
        console.print(self.totals())
        bad = set(self.wrong.values())
        equal = sum(day not in bad for day in self.counted)
        for name, text in {"days equal": f"{equal} of {len(self.counted)}", **facts}.items():
            console.print(f"{name:<17} {text}", soft_wrap=True)
        for words in self.wrong:
            console.print(f"[red]{words}[/red]")
        console.print("[red]NOT EQUAL[/red]" if bad else "[green]every row once[/green]")

    def totals(self) -> Table:
        """Sum up each side; the data file, counted by Python, has no checksum of Spark's."""
        table = Table("", "days", "rows", "checksum", box=None)
        table.add_row("data file", *sums(self.counted.values()), "")
        for name, side in (("input", self.expected), ("copy", self.found)):
            rows = [day.rows for day in side.values()]
            table.add_row(name, *sums(rows), str(sum(day.checksum for day in side.values())))
        return table


def sums(rows: Collection[int]) -> tuple[str, str]:
    """Say how many days, and how many rows in all."""
    return str(len(rows)), f"{sum(rows):,}"
