# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Which batches fail, and how often: `fail_at` without Spark."""

from __future__ import annotations

import pickle
from typing import Any, cast

import pytest
from pyspark.sql import DataFrame

from deltasource import ConnectError, OptionsError
from deltasource._testing.session import parse_confs
from deltasource.testing import (
    FailAt,
    InjectedFailure,
    TableHistory,
    fail_at,
    run_with_failures,
)
from support.fake_runs import Query as FakeQuery

ROWS: DataFrame = None  # type: ignore[assignment] # the functions here do not read it


def run(write: FailAt, batch: int) -> bool:
    """Whether the batch failed."""
    try:
        write(ROWS, batch)
    except InjectedFailure:
        return True
    return False


@pytest.mark.parametrize("when", ["before", "after"])
def test_each_chosen_batch_fails_once(when: str) -> None:
    """Before the function, the first call is left out; after it, the batch is repeated."""
    seen: list[int] = []
    write = fail_at([0, 2], lambda _, batch: seen.append(batch), when=when)  # type: ignore[arg-type]
    failed = [run(write, batch) for batch in (0, 0, 1, 2, 2)]
    assert failed == [True, False, False, True, False]
    assert seen == ([0, 1, 2] if when == "before" else [0, 0, 1, 2, 2])
    assert (write.failed, write.pending) == ((0, 2), ())


def test_wrong_arguments_are_reported_together() -> None:
    """No batch would never fail, and would test nothing."""
    with pytest.raises(OptionsError) as error:
        fail_at([], "x", when="now")  # type: ignore[arg-type]
    assert [one.option for one in error.value.problems] == ["batch", "function", "when"]
    for wrong in (-1, [0, -1], [True], "1"):
        with pytest.raises(OptionsError):
            fail_at(wrong, print)  # type: ignore[arg-type]


def test_it_is_not_copied_to_another_process() -> None:
    """The copy would fail again after each restart."""
    with pytest.raises(ConnectError, match="does not work over Spark Connect"):
        pickle.dumps(fail_at(0, print))


def test_a_query_of_spark_connect_is_stopped_and_refused() -> None:
    """Also if it does not use `fail_at`: otherwise the whole query would run for nothing."""

    class Query(FakeQuery):
        __module__ = "pyspark.sql.connect.streaming.query"

    query = Query()
    with pytest.raises(ConnectError, match="does not work over Spark Connect"):
        run_with_failures(lambda: cast(Any, query), fail_at(0, print))
    assert (query.waited, query.isActive) == ([], False)


def test_a_history_is_a_list_of_statements() -> None:
    """Each method adds one statement, and the history before stays as it was."""
    empty = TableHistory()
    history = empty.create("id LONG", properties={"a'b": "c\\d"}).delete("id = 1").optimize()
    assert list(map(str, history.steps)) == [
        "CREATE TABLE the table (id LONG) USING delta TBLPROPERTIES ('a\\'b' = 'c\\\\d')",
        "DELETE FROM the table WHERE id = 1",
        "OPTIMIZE the table",
    ]
    assert empty.steps == ()
    with pytest.raises(OptionsError) as error:
        empty.merge([], on=())
    assert [one.option for one in error.value.problems] == ["rows", "on"]


def test_the_lines_of_the_ini_option_are_confs() -> None:
    """A value may contain an equals sign."""
    assert parse_confs(["a.b = c=d", "e.f="]) == {"a.b": "c=d", "e.f": ""}
