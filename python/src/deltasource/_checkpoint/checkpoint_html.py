# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A checkpoint as HTML: its latest batches, and how far they have read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from deltasource import _html as html
from deltasource._checkpoint.offset import Offset
from deltasource._checkpoint.offset_log import Batch
from deltasource._errors import DeltaSourceError
from deltasource._format import format_time

LISTED: Final = 5
_COLUMNS: Final = ("batch", "committed", "planned at", "source", "end")


def checkpoint_html(path: str, read: Callable[[], Iterable[Batch]]) -> str:
    """Return the HTML of a checkpoint; a checkpoint that cannot be read is shown with its error."""
    title = html.heading("Checkpoint", path)
    try:
        batches = list(read())
    except (DeltaSourceError, OSError) as error:
        return html.page(title, html.colored(str(error), html.RED))
    if not batches:
        return html.page(title, html.heading("", "no batch has been planned yet"))
    rows = [row for batch in reversed(batches) for row in _rows(batch)]
    return html.page(title, html.table(_COLUMNS, rows, right={"batch"}))


def _rows(batch: Batch) -> list[Sequence[html.Cell]]:
    planned = None if batch.planned_at is None else format_time(batch.planned_at)
    committed = "yes" if batch.committed else html.colored("no", html.ORANGE)
    ends = batch.sources.items() or [(None, None)]
    return [(str(batch.id), committed, planned, source, _end(end)) for source, end in ends]


def _end(end: Offset | str | None) -> str | None:
    return end.explain() if isinstance(end, Offset) else end
