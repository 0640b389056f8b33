# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What the streams must deliver, computed from the ledger without Spark."""

import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from soak import operation, stream
from soak.ledger import Ledger
from soak.operation import (
    KINDS,
    AddColumn,
    Append,
    Delete,
    DropColumn,
    Merge,
    Operation,
    Optimize,
    RenameColumn,
    Update,
)
from soak.stream import STREAMS
from soak.table import ROWS
from soak.table_state import TableState
from soak.workload import draw_operation


def expected(path: Path, name: str, *operations: Operation) -> Counter[str]:
    """What a stream must deliver after these operations on its table."""
    ledger = Ledger(path / "ledger.jsonl")
    one = stream.named(name)
    for each in operations:
        ledger.end(ledger.begin(one.source.key, each), committed=True)
    return ledger.expected(one)


TWO = Append(first=0, count=2, files=1)
ONE, OTHER = '{"id":0,"value":0}', '{"id":1,"value":1}'


@pytest.mark.parametrize(
    ("name", "operations", "rows"),
    [
        ("append", (TWO, Optimize()), [ONE, OTHER]),
        ("ignore-deletes", (TWO, Delete(low=0, high=1)), [ONE, OTHER]),
        ("skip-commits", (TWO, Update(low=0, high=0)), [ONE, OTHER]),
        ("skip-commits", (TWO, Merge(low=1, high=2)), [ONE, OTHER]),
        ("skip-commits", (TWO, Merge(low=2, high=2)), [ONE, OTHER, '{"id":2,"value":2}']),
        ("reemit", (TWO, Delete(low=0, high=0)), [ONE, OTHER, OTHER]),
        ("reemit", (TWO, Delete(low=0, high=1)), [ONE, OTHER]),
        (
            "schema-tracking",
            (
                AddColumn(name="a"),
                Append(first=0, count=1, files=1),
                RenameColumn(name="a", to="b"),
                Append(first=1, count=1, files=1),
                DropColumn(name="b"),
                Append(first=2, count=1, files=1),
            ),
            ['{"id":0,"value":0,"a":0}', '{"id":1,"value":1,"b":1}', '{"id":2,"value":2}'],
        ),
        ("max-files", (AddColumn(name="a"), TWO), [ONE, OTHER]),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_each_stream_delivers_what_its_options_say(
    tmp_path: Path, name: str, operations: Sequence[Operation], rows: list[str]
) -> None:
    """Rewritten, skipped and repeated rows are counted as the options document them."""
    assert expected(tmp_path, name, *operations) == Counter(rows)


def test_a_change_feed_delivers_the_rows_before_and_after_an_update(tmp_path: Path) -> None:
    """A MERGE gives the rows that it updates twice, and those that it inserts once."""
    found = expected(tmp_path, "change-feed", TWO, Merge(low=1, high=2), Delete(low=1, high=1))
    assert found == Counter(
        [
            '{"_change_type":"insert","id":0,"value":0}',
            '{"_change_type":"insert","id":1,"value":1}',
            '{"_change_type":"update_preimage","id":1,"value":1}',
            '{"_change_type":"update_postimage","id":1,"value":2}',
            '{"_change_type":"insert","id":2,"value":2}',
            '{"_change_type":"delete","id":1,"value":2}',
        ]
    )


def test_an_operation_that_was_not_committed_does_not_count(tmp_path: Path) -> None:
    """The writer was killed before the commit of the second append."""
    ledger = Ledger(tmp_path / "ledger.jsonl")
    one = stream.named("append")
    ledger.end(ledger.begin(one.source.key, TWO), committed=True)
    ledger.end(ledger.begin(one.source.key, Append(first=2, count=1, files=1)), committed=False)
    ledger.end(ledger.begin("source/another", TWO), committed=True)
    assert ledger.expected(one) == Counter([ONE, OTHER])


def test_an_operation_without_an_end_is_an_error(tmp_path: Path) -> None:
    """What happened to it is not known, so nothing exact can be said."""
    ledger = Ledger(tmp_path / "ledger.jsonl")
    ledger.begin("source/plain", TWO)
    with pytest.raises(ValueError, match=r"without an end: \[1\]"):
        list(ledger.committed())


def test_a_stream_from_the_latest_version_does_not_read_the_first_rows(tmp_path: Path) -> None:
    """The others read them."""
    ledger = Ledger(tmp_path / "ledger.jsonl")
    key = stream.named("latest").source.key
    ledger.end(ledger.begin(key, TWO, before_streams=True), committed=True)
    assert ledger.expected(stream.named("latest")) == Counter()
    assert ledger.expected(stream.named("append")) == Counter([ONE, OTHER])


@pytest.mark.parametrize("name", [one.name for one in STREAMS])
def test_drawn_operations_fit_their_table_and_survive_json(name: str) -> None:
    """Rows and columns that they name are there; a partition is deleted as a whole."""
    table = stream.named(name).source
    draw = random.Random(7)
    state = TableState()
    kinds: set[type[Operation]] = set()
    for number in range(400):
        drawn = draw_operation(draw, table, state, number)
        kinds.add(type(drawn))
        assert operation.from_json(operation.to_json(drawn)) == drawn
        effect = state.apply(drawn)
        if isinstance(drawn, Delete | Update):
            assert effect.removes_data
        if isinstance(drawn, Delete) and table.partitioned:
            assert len(effect.deleted) == ROWS
    assert kinds == set(table.operations)
    assert kinds <= set(KINDS)
