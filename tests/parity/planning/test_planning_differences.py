# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The rules for allowed differences of planning scripts, without Spark."""

import json
from dataclasses import replace
from typing import Any

from parity.planning.differences import ALLOWED, bound_as_its_end, missing_vector
from parity.planning.script import Land, Mode, Open, Plans, Rest
from parity.planning.table import Change, Commit, Table

NOT_FOUND = "DELTA_LOG_FILE_NOT_FOUND_FOR_STREAMING_SOURCE"
VACUUMED = "DELTASOURCE_FILE_VACUUMED"
CHANGES = (Change("_change_data/1.parquet"), Change("_change_data/2.parquet"))
SCRIPT = Plans(
    table=Table((), feed=True, vectors=True), steps=(Land(1), Open(mode=Mode.NOW), Rest(), Rest())
)


def answer(*ends: tuple[int, int], error: str | None = None) -> dict[str, Any]:
    batches: list[dict[str, Any]] = [
        {"start": None, "end": offset(*end), "files": []} for end in ends
    ]
    return {"batches": batches, "error": error and {"condition": error}, "schemas": []}


def offset(version: int, index: int) -> str:
    return json.dumps({"reservoirVersion": version, "index": index, "isStartingVersion": False})


def test_a_missing_vector_has_another_name() -> None:
    """Only the error for the file of a deletion vector may differ, and only in a change feed."""
    stock = [answer(), answer(), answer((2, -1), error=NOT_FOUND), answer()]
    ours = [answer(), answer(), answer((2, -1), error=VACUUMED), answer()]
    assert missing_vector(SCRIPT, stock, ours)
    assert not missing_vector(SCRIPT, ours, stock)
    assert not missing_vector(SCRIPT, stock, [*ours[:2], answer(error=VACUUMED), answer()])
    assert not missing_vector(SCRIPT, [*stock[:2], answer((2, -1)), answer()], ours)
    plain = replace(SCRIPT, table=Table((), vectors=True))
    assert not missing_vector(plain, stock, ours)


def test_a_run_may_end_at_a_file_of_its_bound() -> None:
    """Our last batch may end at the last change file of the version, and stock's at its end."""
    commits = (Commit(CHANGES[:1]), Commit(CHANGES))
    script = replace(SCRIPT, table=Table(commits, feed=True))
    stock = [answer(), answer(), answer((1, -1), (3, -1)), answer()]
    ours = [answer(), answer(), answer((1, -1), (2, 1)), answer()]
    assert bound_as_its_end(script, stock, ours)
    assert not bound_as_its_end(script, ours, stock)
    assert not bound_as_its_end(script, stock, [*ours[:2], answer((1, -1), (2, 0)), answer()])
    assert not bound_as_its_end(script, stock, [*ours[:2], answer((1, -1), (1, 0)), answer()])
    assert not bound_as_its_end(script, stock, [*ours[:3], answer((3, -1))])
    each = replace(script, steps=(Land(1), Open(), Rest(), Rest()))
    assert not bound_as_its_end(each, stock, ours)


def test_a_missing_batch_is_never_allowed() -> None:
    """Each rule refuses a batch that stock alone delivers."""
    stock = [answer(), answer(), answer((2, -1)), answer()]
    assert not any(rule(SCRIPT, stock, [answer()] * 4) for rule in ALLOWED)
