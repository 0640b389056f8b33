# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m object_stores`: counts the requests of delta-spark's streams and of ours on S3A."""

import argparse
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from object_stores.measuring import Measured, measure
from object_stores.store import local_store
from object_stores.store_request import RequestKind, StoreRequest, dollars
from parity.harness.both_sides import OURS, STOCK


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="object_stores", description=__doc__)
    parser.add_argument("--idle", type=float, default=20, help="seconds at the head of the log")
    parser.add_argument("--side", choices=(STOCK, OURS), action="append", help="only this side")
    parser.add_argument("--folders", action="store_true", help="count by folder too")
    parser.add_argument("--json", type=Path, help="write the counts of each phase to this file")
    options = parser.parse_args(given)
    console = Console()
    found = {}
    with tempfile.TemporaryDirectory(prefix="object-stores-") as name:
        place = Path(name)
        with local_store(place) as store:
            for side in options.side or (STOCK, OURS):
                with console.status(f"measuring {side}"):
                    found[side] = measure(side, store, place, idle=options.idle)
    console.print(by_phase(found))
    if options.json:
        counts = {side: [as_json(one) for one in phases] for side, phases in found.items()}
        options.json.write_text(json.dumps(counts), encoding="utf-8")
    if options.folders:
        for phase in zip(*found.values(), strict=True):
            console.print(by_folder(dict(zip(found, phase, strict=True))))
    return 0


def by_phase(found: Mapping[str, Sequence[Measured]]) -> Table:
    """The requests of each phase by side and kind; the last rows are the sums."""
    total = {side: _sum(phases) for side, phases in found.items()}
    groups = [*zip(*found.values(), strict=True), tuple(total.values())]
    rows = [
        Row((one.phase, side), one.requests, (f"{one.seconds:.1f}", _per_hour(one)))
        for group in groups
        for side, one in zip(found, group, strict=True)
    ]
    return _table(("phase", "side"), rows, ("seconds", "$ per hour"), every=len(found))


def as_json(measured: Measured) -> dict[str, Any]:
    """The requests of a phase by kind, and their price."""
    counts = Counter(one.kind for one in measured.requests)
    return {
        "phase": measured.phase,
        "seconds": measured.seconds,
        "requests": {kind.value: counts[kind] for kind in RequestKind},
        "dollars": dollars(measured.requests),
    }


def by_folder(phase: Mapping[str, Measured]) -> Table:
    """The requests of one phase by folder, side and kind."""
    folders = sorted({folder(one) for measured in phase.values() for one in measured.requests})
    rows = [
        Row((name, side), [one for one in measured.requests if folder(one) == name])
        for name in folders
        for side, measured in phase.items()
    ]
    title = next(iter(phase.values())).phase
    return _table((title, "side"), rows, every=len(phase))


def folder(request: StoreRequest) -> str:
    """The first two folders of a key, without that of the side; its data files are `data`."""
    _, *names = request.key.rstrip("/").split("/")
    return "/".join("data" if ".parquet" in name else _plain(name) for name in names[:2])


def _plain(name: str) -> str:
    """A name without the random part that it has until it is renamed."""
    return re.sub(r"^\.(.+)\.[0-9a-f-]{36}\.tmp$", r"\1", name)


@dataclass(frozen=True)
class Row:
    """Requests that are counted by kind, with cells before and after the counts."""

    first: Sequence[str]
    requests: Sequence[StoreRequest]
    last: Sequence[str] = ()


def _table(
    first: Sequence[str], rows: Sequence[Row], last: Sequence[str] = (), *, every: int
) -> Table:
    used = {one.kind for row in rows for one in row.requests}
    kinds = [kind for kind in RequestKind if kind in used]
    table = Table(*first)
    for title in ("requests", *(kind.value for kind in kinds), *last):
        table.add_column(title, justify="right")
    for number, row in enumerate(rows, 1):
        counts = Counter(one.kind for one in row.requests)
        cells = [len(row.requests), *(counts[kind] for kind in kinds)]
        numbers = (f"{cell:,}" for cell in cells)
        table.add_row(*row.first, *numbers, *row.last, end_section=number % every == 0)
    return table


def _sum(phases: Sequence[Measured]) -> Measured:
    requests = [request for one in phases for request in one.requests]
    return Measured("everything", sum(one.seconds for one in phases), requests)


def _per_hour(measured: Measured) -> str:
    return f"{dollars(measured.requests) / measured.seconds * 3600:.3f}"


if __name__ == "__main__":
    sys.exit(main())
