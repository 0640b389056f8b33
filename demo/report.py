# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The report at the end of the demo."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date

from rich.console import Console
from rich.table import Table

from demo.compare import Day, differences, miscounts


@dataclass(frozen=True)
class Report:
    """Rows by day in the data file, the input and the copy, and the differences."""

    counted: Mapping[date, int]
    expected: dict[date, Day]
    found: dict[date, Day]

    @property
    def wrong(self) -> Mapping[str, date]:
        """Return a sentence for each difference, with its day."""
        different = {str(one): one.date for one in differences(self.expected, self.found)}
        miscounted = {str(one): one.date for one in miscounts(self.counted, self.found)}
        return {**different, **miscounted}

    def show(self, console: Console, facts: Mapping[str, str]) -> None:
        """Print the totals, the facts, the differences, and whether all rows are equal."""
        console.print(self.totals())
        bad = set(self.wrong.values())
        equal = sum(day not in bad for day in self.counted)
        for name, text in {"days equal": f"{equal} of {len(self.counted)}", **facts}.items():
            console.print(f"{name:<17} {text}", soft_wrap=True)
        for words in self.wrong:
            console.print(f"[red]{words}[/red]")
        console.print("[red]NOT EQUAL[/red]" if bad else "[green]EQUAL: every row once[/green]")

    def totals(self) -> Table:
        """Return the totals; the data file is counted in Python, so it has no checksum."""
        table = Table("", "days", "rows", "checksum", box=None)
        table.add_row("data file", *sums(self.counted.values()), "")
        for name, side in (("input", self.expected), ("copy", self.found)):
            rows = [day.rows for day in side.values()]
            table.add_row(name, *sums(rows), str(sum(day.checksum for day in side.values())))
        return table


def sums(rows: Collection[int]) -> tuple[str, str]:
    """Return the number of days and of rows, as text."""
    return str(len(rows)), f"{sum(rows):,}"
