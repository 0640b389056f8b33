# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""How the benchmark compares the requests of both sides to an object store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench import store_requests
from bench.store_requests import Phase
from rich.console import Console

from object_stores.__main__ import as_json
from object_stores.measuring import Measured
from object_stores.store_request import StoreRequest


def phase(name: str, seconds: float = 20, **requests: int) -> Phase:
    """A phase with these requests; `HEAD404` is the kind "HEAD 404"."""
    kinds = ("HEAD 200", "HEAD 404", "GET", "LIST", "PUT", "COPY", "POST", "DELETE", "other")
    counts = {kind: requests.get(kind.replace(" ", ""), 0) for kind in kinds}
    return Phase(phase=name, seconds=seconds, requests=counts, dollars=0.001)


@pytest.mark.parametrize(
    ("stock", "ours", "met"),
    [
        (phase("start, 10 commits", GET=2, PUT=3), phase("start, 10 commits", GET=1, PUT=2), "yes"),
        (phase("start, 10 commits", GET=9, PUT=3), phase("start, 10 commits", GET=1, PUT=3), "no"),
        (phase("restart, 20 commits", GET=9), phase("restart, 20 commits", POST=1), "no"),
        (phase("10 appends", LIST=10), phase("10 appends", GET=5), "yes"),
        (phase("10 appends", LIST=10), phase("10 appends", GET=6), "no"),
        (phase("idle at the head", LIST=9), phase("idle at the head", HEAD404=70, LIST=3), "yes"),
        (phase("idle at the head", LIST=9), phase("idle at the head", HEAD404=70, LIST=4), "no"),
        (phase("idle at the head", LIST=9), phase("idle at the head", HEAD200=1), "no"),
    ],
)
def test_each_phase_has_its_target(stock: Phase, ours: Phase, met: str) -> None:
    """Starts need fewer of every kind, batches half, and an idle stream only HEADs."""
    head, row = store_requests.rows([(stock, ours)])
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
        ["phase", "HEAD 404", "LIST", "requests", "$ per hour", "ratio", "target", "met"],
        [
            "idle at the head for 36.0 s",
            "1 / 1",
            "2 / 0",
            "3 / 1",
            "0.001 / 0.000",
            "**3.0**",
            "HEADs, and a LIST every 10 s",
            "yes",
        ],
    ]
    console = Console(width=160)
    with console.capture() as shown:
        console.print(store_requests.table(phases))
    assert "2 / 0" in shown.get()
