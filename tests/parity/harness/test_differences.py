# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Each difference that random scripts may show is allowed in its exact form only."""

import json
from dataclasses import replace
from typing import Any

from parity.planning import compare, differences
from parity.planning.script import Ahead, Go, Land, Mode, Open, Plans, Rest
from parity.planning.table import Add, Commit, Remove, Table

TWO = Commit((Add("1.parquet", (0,)), Add("2.parquet", (1,))))
THIRD = Commit((Add("3.parquet", (2,)),))
SCRIPT = Plans(table=Table((TWO, THIRD)), steps=(Land(1), Open(), Go(), Land(1), Rest()))


def offset(version: int, index: int = -1, *, snapshot: bool = False) -> str:
    values = {"reservoirVersion": version, "index": index, "isStartingVersion": snapshot}
    return json.dumps(values)


def batch(start: str | None, end: str, *files: str) -> dict[str, Any]:
    return {"start": start, "end": end, "files": list(files)}


def answer(*batches: dict[str, Any]) -> dict[str, Any]:
    return {"batches": list(batches), "error": None}


def test_only_a_restart_from_latest_may_differ() -> None:
    """A restart from the newest version: stock resolves it again, ours delivers what came since."""
    steps = (Land(1), Open(), Go(), Open(), Land(1), Rest())
    script = replace(SCRIPT, options={"startingVersion": "latest"}, steps=steps)
    stock = [answer() for _ in steps]
    ours = [*stock[:5], answer(batch(None, "b", "3.parquet"))]
    early = [stock[0], stock[1], answer(batch(None, "a", "1.parquet")), *stock[3:]]
    assert differences.remembered(script, stock, ours)
    assert not differences.remembered(script, stock, early)
    assert not differences.remembered(replace(script, options={}), stock, ours)
    assert (
        compare.row_faults(script, ours, remembers=True) == compare.row_faults(script, stock) == []
    )
    assert compare.row_faults(script, stock, remembers=True) == ["lost: rows [2]"]


def test_a_first_batch_beyond_its_snapshot_may_have_files_removed_since() -> None:
    """Stock reads the snapshot as of the batch's end, ours the planned one."""
    gone = Commit((Remove("1.parquet"),))
    script = replace(SCRIPT, table=Table((TWO, gone)), steps=(Land(1), Open(), Land(1), Ahead()))

    def parts(one: dict[str, Any], other: dict[str, Any]) -> bool:
        return differences.reaches_on(script, [answer(one)], [answer(other)])

    stock, ours = (batch(None, offset(3), *files) for files in (("2",), ("1.parquet", "2")))
    assert parts(stock, ours)
    assert not parts(ours, stock)
    assert not parts(batch(None, offset(3)), batch(None, offset(3), "2"))
    assert not parts(stock, ours | {"end": offset(4)})
    assert not parts(stock | {"start": offset(1)}, ours | {"start": offset(1)})
    inside = {"end": offset(3, snapshot=True)}
    assert not parts(stock | inside, ours | inside)


def test_such_a_batch_may_have_files_from_before_an_optimize() -> None:
    """Stock has the files into which it moved their rows, and no other row."""
    optimize = Commit((Remove("1.parquet", new=False), Add("4.parquet", (0,), new=False)))
    steps = (Land(1), Open(), Land(2), Ahead())

    def parts(*stock: str, table: Table) -> bool:
        script = replace(SCRIPT, table=table, steps=steps)
        one, other = (batch(None, offset(3), *of) for of in (stock, ("1.parquet", "2.parquet")))
        return differences.reaches_on(script, [answer(one)], [answer(other)])

    assert parts("2.parquet", "4.parquet", table=Table((TWO, optimize)))
    written = Commit((Remove("1.parquet"), Add("4.parquet", (0,))))
    assert not parts("2.parquet", "4.parquet", table=Table((TWO, written)))
    more = Commit((Remove("1.parquet", new=False), Add("4.parquet", (0, 9), new=False)))
    assert not parts("2.parquet", "4.parquet", table=Table((TWO, more)))
    assert not parts("3.parquet", table=Table((TWO, optimize, THIRD)))


def test_an_empty_batch_after_the_change_files_of_a_bound_may_be_missing() -> None:
    """Only the last batch of an AvailableNow run, and only if both continue alike."""
    script = replace(SCRIPT, steps=(Open(mode=Mode.NOW), Rest(), Rest()))
    first = batch(None, offset(7, 3))
    more = batch(offset(7, 3), offset(8))
    ours = [answer(), answer(first), answer(batch(offset(7, 3), offset(9)))]
    stock = [answer(), answer(first, more), answer(batch(offset(8), offset(9)))]
    assert differences.one_more(script, stock, ours)
    assert not differences.one_more(script, ours, stock)
    default = replace(script, steps=(Open(), Rest(), Rest()))
    assert not differences.one_more(default, stock, ours)
    whole = answer(first, batch(offset(7, 3), offset(9)))
    assert not differences.one_more(script, [stock[0], whole, stock[2]], ours)
    other = [*ours[:2], answer(batch(offset(7, 3), offset(10)))]
    assert not differences.one_more(script, stock, other)
