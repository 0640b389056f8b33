# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Formats rows as text, JSON or CSV."""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from deltasource._cli.drawing import can_draw, drawn

Value: TypeAlias = str | int | float | bool | None
Record: TypeAlias = Mapping[str, Value]

FORMATS: Final = ("text", "json", "csv")
SCHEMA_VERSION: Final = 1
"""The version of the JSON output; it changes when the keys change."""


def add_format(parser: argparse.ArgumentParser) -> None:
    """Add the option --format to a command."""
    parser.add_argument("--format", choices=FORMATS, default="text", help="default: text")


def format_rows(
    rows: Sequence[Record],
    *,
    output_format: str,
    columns: Sequence[str],
    text_columns: Sequence[str] = (),
    **others: object,
) -> str:
    """Format rows; text may have fewer columns, and JSON has additional keys."""
    if output_format == "json":
        document: dict[str, Any] = {"schema_version": SCHEMA_VERSION, **others, "rows": rows}
        return json.dumps(document, indent=2)
    if output_format == "csv":
        return _csv(rows, columns)
    if not rows:
        return ""
    table = [_column(name, [row[name] for row in rows]) for name in text_columns or columns]
    return (_rich_table if can_draw() else _plain_table)(table)


def _csv(rows: Sequence[Record], columns: Sequence[str]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_csv_value(row[name]) for name in columns] for row in rows)
    return text.getvalue().removesuffix("\n")


def _csv_value(value: Value) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def _cell(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.1f}"
    return "-" if value is None else str(value)


@dataclass(frozen=True)
class _Column:
    """A column of text; numbers are aligned right."""

    name: str
    cells: Sequence[str]
    right: bool


def _column(name: str, values: Sequence[Value]) -> _Column:
    known = [value for value in values if value is not None]
    right = bool(known) and not any(isinstance(value, str | bool) for value in known)
    return _Column(name, [_cell(value) for value in values], right)


def _plain_table(table: Sequence[_Column]) -> str:
    columns = [_padded([column.name, *column.cells], column.right) for column in table]
    return "\n".join("  ".join(line).rstrip() for line in zip(*columns, strict=True))


def _padded(cells: Sequence[str], right: bool) -> Sequence[str]:
    width = max(map(len, cells))
    return [cell.rjust(width) if right else cell.ljust(width) for cell in cells]


def _rich_table(table: Sequence[_Column]) -> str:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    # Nothing is truncated to fit the terminal: the values are what users look for.
    rich_table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for column in table:
        rich_table.add_column(
            column.name, justify="right" if column.right else "left", overflow="fold"
        )
    for line in zip(*(column.cells for column in table), strict=True):
        # Text from a checkpoint is not markup.
        rich_table.add_row(*map(Text, line))
    return drawn(rich_table)
