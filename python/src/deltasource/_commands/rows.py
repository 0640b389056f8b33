# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Rows as text, JSON or CSV."""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any, Final, TypeAlias

Value: TypeAlias = str | int | float | bool | None
Row: TypeAlias = Mapping[str, Value]

FORMS: Final = ("text", "json", "csv")
SCHEMA_VERSION: Final = 1
"""Of the JSON form; it changes when a key does."""


def add_format(parser: argparse.ArgumentParser) -> None:
    """Give a command the option that all commands with rows have."""
    parser.add_argument("--format", choices=FORMS, default="text", help="by default text")


def written(
    rows: Sequence[Row],
    *,
    form: str,
    columns: Sequence[str],
    text_columns: Sequence[str] = (),
    **others: object,
) -> str:
    """Write rows in one of the forms; as text with fewer columns, as JSON with other keys too."""
    if form == "json":
        document: dict[str, Any] = {"schema_version": SCHEMA_VERSION, **others, "rows": rows}
        return json.dumps(document, indent=2)
    if form == "csv":
        return _csv(rows, columns)
    cells = [[_cell(row[name]) for name in text_columns or columns] for row in rows]
    if not cells:
        return ""
    on_screen = sys.stdout.isatty() and find_spec("rich") is not None
    return (_drawn if on_screen else _plain)(text_columns or columns, cells)


def _csv(rows: Sequence[Row], columns: Sequence[str]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_bare(row[name]) for name in columns] for row in rows)
    return text.getvalue().removesuffix("\n")


def _bare(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def _cell(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.1f}"
    return "-" if value is None else str(value)


def _plain(columns: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    lines = [columns, *cells]
    widths = [max(len(line[at]) for line in lines) for at in range(len(columns))]
    return "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in lines)


def _drawn(columns: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(*columns)
    for line in cells:
        # What stands in a checkpoint is no markup.
        table.add_row(*map(Text, line))
    console = Console()
    with console.capture() as said:
        console.print(table)
    return said.get().rstrip("\n")
