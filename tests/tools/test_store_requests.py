# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""How the benchmark compares the requests of both sides to an object store."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from bench import store_requests
from bench.store_requests import Phase
from rich.console import Console

from object_stores.__main__ import as_json
from object_stores.measuring import Measured
from object_stores.store_request import RequestKind, StoreRequest


def phase(name: str, requests: Mapping[str, int]) -> Phase:
    """A phase of 20 seconds with these requests."""
    counts = {kind.value: requests.get(kind.value, 0) for kind in RequestKind}
    return Phase(phase=f"{name}, ...", seconds=20, requests=counts, dollars=0.001)


@pytest.mark.parametrize(
    ("name", "stock", "ours", "met"),
    [
        ("start", {"GET": 2, "PUT": 3}, {"GET": 1, "PUT": 2}, "yes"),
        ("start", {"GET": 9, "PUT": 3}, {"GET": 1, "PUT": 3}, "no: PUT"),
        ("restart", {"GET": 9, "COPY": 1}, {"GET": 10, "POST": 1}, "no: GET, POST"),
        ("10 appends", {"LIST": 10}, {"GET": 5}, "yes"),
        ("10 appends", {"LIST": 10}, {"GET": 6}, "no: requests"),
        ("idle", {"LIST": 9}, {"HEAD 404": 70, "LIST": 3}, "yes"),
        ("idle", {"LIST": 9}, {"HEAD 404": 70, "LIST": 4}, "no: LIST"),
        ("idle", {"LIST": 9}, {"HEAD 404": 1, "HEAD 200": 1}, "no: HEAD 200"),
    ],
)
def test_each_phase_has_its_goal(
    name: str, stock: dict[str, int], ours: dict[str, int], met: str
) -> None:
    """Starts need fewer of each kind, batches half, and an idle stream only HEADs."""
    head, row = store_requests.rows([(phase(name, stock), phase(name, ours))])
    assert dict(zip(head, row, strict=True))["met"] == met


def test_counts_and_prices_of_both_sides_are_shown(tmp_path: Path) -> None:
    """What `python -m object_stores` counts is loaded and shown by phase and kind."""
    head = StoreRequest("HEAD", "/tables/t", "", copies=False, status=404)
    listing = StoreRequest("GET", "/tables", "prefix=t", copies=False, status=200)
    stock = Measured("idle at the head for 36.0 s", 36, [head, listing, listing])
    ours = Measured("idle at the head for 36.0 s", 36, [head])
    sides = {"stock": [as_json(stock)], "ours": [as_json(ours)]}
    (tmp_path / "requests.json").write_text(json.dumps({"machine": {}, "sides": sides}))
    phases = store_requests.load(tmp_path)
    assert store_requests.rows(phases) == [
        ["phase", "HEAD 404", "LIST", "requests", "$ per hour", "ratio", "goal", "met"],
        [
            "idle at the head for 36.0 s",
            "1 / 1",
            "2 / 0",
            "3 / 1",
            "0.001 / 4e-05",
            "**3.0**",
            "HEADs, a LIST every 10 s",
            "yes",
        ],
    ]
    console = Console(width=160)
    with console.capture() as shown:
        console.print(store_requests.table(phases))
    assert "2 / 0" in shown.get()


def test_prices_do_not_depend_on_how_fast_batches_are() -> None:
    """An hour has one start, a batch per second, or an idle stream at the measured rate."""
    prices = [
        store_requests.rows([(phase(name, {"GET": 1}), phase(name, {"GET": 1}))])[1][3]
        for name in ("start", "restart", "10 appends", "idle")
    ]
    assert prices == ["0.001 / 0.001", "0.001 / 0.001", "0.36 / 0.36", "0.18 / 0.18"]
