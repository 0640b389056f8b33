# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The harness itself, without Spark: a comparison that finds nothing is worth nothing."""

from dataclasses import replace
from pathlib import Path

import pytest

from parity.catalogue.histories import FED, SMALL, TAIL
from parity.compare import amiss, compare, unexplained
from parity.differences import difference
from parity.history import Append, Create, Delete, Overwrite, Restore
from parity.rows import added, left
from parity.run import check_place
from parity.script import Place
from parity.side import Side
from parity.tables import Change, common
from parity.trace import Batch, Failure, Moment, Trace, offsets, thrown

OFFSET = (
    '{"sourceVersion":1,"reservoirId":"a","reservoirVersion":3,"index":1,"isStartingVersion":false}'
)
REFUSED = Failure("run", "java.lang.Delta", "DELTA_NO", "0A000", (("version", "3"),), None)
HELD = Moment("1. Start", "held", (), ((0, OFFSET),), (), None)
DONE = Moment(
    "2. Drain", "waiting", (Batch(0, ((0,), (1,))), Batch(1, ((2,),))), ((0, OFFSET),), (0,), None
)
TRACE: Trace = (HELD, DONE)

FAULTS = {
    "a row lost": replace(DONE, batches=(Batch(0, ((0,),)), Batch(1, ((2,),)))),
    "a row twice": replace(DONE, batches=(Batch(0, ((0,), (1,), (1,))), Batch(1, ((2,),)))),
    "a row in the other batch": replace(DONE, batches=(Batch(0, ((0,),)), Batch(1, ((1,), (2,))))),
    "a batch missing": replace(DONE, batches=DONE.batches[:1]),
    "a byte of an offset": replace(DONE, offsets=((0, OFFSET.replace(":3", ": 3")),)),
    "an offset more": replace(DONE, offsets=((0, OFFSET), (1, OFFSET))),
    "a commit missing": replace(DONE, commits=()),
    "another state": replace(DONE, state="over"),
    "an error": replace(DONE, failure=REFUSED),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told(fault: str) -> None:
    """Whatever differs between two traces is told, and equal traces tell nothing."""
    assert compare(TRACE, TRACE) == []
    assert compare(TRACE, (HELD, FAULTS[fault])) != []


@pytest.mark.parametrize(
    "other",
    [
        replace(REFUSED, condition="DELTA_YES"),
        replace(REFUSED, parameters=(("version", "4"),)),
        replace(REFUSED, phase="load"),
        replace(REFUSED, kind="java.lang.Other"),
    ],
)
def test_another_error_is_told(other: Failure) -> None:
    """Errors differ by condition, parameters, class and by when they come."""
    assert compare((replace(DONE, failure=REFUSED),), (replace(DONE, failure=other),)) != []


def test_rows_lost_and_rows_too_many_are_counted() -> None:
    """The rows delivered are compared with the rows written, each as often as it was written."""
    assert amiss(TRACE, (0, 1, 2)) == []
    assert amiss(TRACE, (0, 1, 2, 3)) == ["lost: [3]"]
    assert amiss(TRACE, (0, 2)) == ["too many: [1]"]
    assert amiss(TRACE, (0, 1, 2, 2)) == ["lost: [2]"]


def test_a_replayed_batch_counts_once_and_must_be_the_same() -> None:
    """A sink may keep either delivery of a batch, so both must hold the same rows."""
    assert amiss((DONE, DONE), (0, 1, 2)) == []
    with pytest.raises(AssertionError, match="batch 0 was"):
        amiss((DONE, FAULTS["a row lost"]), (0, 1, 2))


def test_changes_are_applied_before_they_are_counted() -> None:
    """Of a change feed that which is in the table in the end is compared with what was written."""
    rows = ((0, "insert"), (0, "update_preimage"), (1000, "update_postimage"), (1, "insert"))
    fed: Trace = (replace(DONE, batches=(Batch(0, rows), Batch(1, ((1, "delete"),)))),)
    assert amiss(fed, (1000,)) == []
    assert amiss(fed, (0, 1000)) == ["lost: [0]"]
    assert amiss(fed, ()) == ["too many: [1000]"]


def test_what_a_table_holds_in_the_end_is_known() -> None:
    """The rows that are left are told from the statements alone."""
    history = (*FED[:8], Append(1))
    assert left(FED) == (6, 7, 8, 9, 10, 1000, 1004)
    assert left(history) == (6, 7, 8, 9, 1000, 1004)
    assert left((*history, Restore(1))) == (0, 1, 2, 3)
    assert left((*history, Overwrite(2))) == (10, 11)


def test_good_data_first_explains_nothing_else() -> None:
    """More batches before the same error are allowed; another error or other rows are not."""
    allowed = difference("Good data first")
    assert allowed is not None
    stock = replace(DONE, failure=REFUSED)
    more = replace(
        stock, batches=(*DONE.batches, Batch(2, ((3,),))), offsets=(*DONE.offsets, (1, OFFSET))
    )
    assert unexplained((stock,), (more,), allowed) == []
    assert unexplained((stock,), (replace(more, failure=None),), allowed) != []
    assert unexplained((stock,), (replace(more, batches=more.batches[1:]),), allowed) != []


def test_the_remembered_start_explains_only_more_rows() -> None:
    """Ours may have rows that stock passed over; a row fewer or an error is no part of that."""
    allowed = difference("The remembered start")
    assert allowed is not None
    more = replace(DONE, batches=(*DONE.batches, Batch(2, ((3,),))))
    assert unexplained((DONE,), (more,), allowed) == []
    assert unexplained((more,), (DONE,), allowed) != []
    assert unexplained((DONE,), (replace(more, failure=REFUSED),), allowed) != []


def test_paths_of_a_run_are_taken_out_of_errors() -> None:
    """Two sides read two copies: the folder of a copy is no difference."""
    told = {
        "phase": "run",
        "kind": "A",
        "condition": "B",
        "state": None,
        "parameters": {"path": "file:/tmp/it's 1/table"},
        "message": "",
    }
    found = thrown(told, {"/tmp/it's 1/table": "<table>"})
    assert found is not None
    assert found.parameters == (("path", "file:<table>"),)


def test_offset_lines_are_read_byte_for_byte(tmp_path: Path) -> None:
    """Only what the source wrote counts: the engine's two lines hold the time of day."""
    (tmp_path / "offsets").mkdir()
    (tmp_path / "offsets" / "10").write_text('v1\n{"batchTimestampMs":1}\n' + OFFSET)
    (tmp_path / "offsets" / "9").write_text("v1\n{}\n-")
    (tmp_path / "offsets" / ".9.crc").write_text("x")
    assert offsets(tmp_path) == ((9, "-"), (10, OFFSET))


def test_a_script_that_stops_elsewhere_is_no_script() -> None:
    """A script about one place fails when its stream stops in another."""
    check_place(Place.COMMIT, OFFSET)
    check_place(Place.SNAPSHOT, OFFSET.replace("false", "true"))
    check_place(Place.BOUNDARY, OFFSET.replace('"index":1', '"index":-1'))
    with pytest.raises(ValueError, match="stopped inside a commit"):
        check_place(Place.SNAPSHOT, OFFSET)


def test_rows_are_numbered_in_the_order_they_are_written() -> None:
    """Each row a history adds has a number of its own."""
    history = (Create(), Append(2), Delete((0,)), Append(3, files=3))
    assert added(history) == (0, 1, 2, 3, 4)
    assert history[1].sql("t", 0) == "INSERT INTO t SELECT id FROM range(0, 2, 1, 1)"
    assert (
        Append(1, part="it's").sql("t", 5)
        == r"INSERT INTO t SELECT id, 'it\'s' AS part FROM range(5, 6, 1, 1)"
    )


def test_a_history_is_written_from_where_it_parts() -> None:
    """What two histories begin with together is written once."""
    assert common(SMALL + TAIL, SMALL) == len(SMALL)
    assert common(SMALL, (Create(), Append(3, files=3), Append(4))) == 2
    assert common((), SMALL) == 0


def test_a_change_is_copied_with_its_times(tmp_path: Path) -> None:
    """A copy of a table has the same bytes and the same file times, and loses what was lost."""
    kept, table = tmp_path / "kept", tmp_path / "table"
    for folder in (kept, table):
        (folder / "_delta_log").mkdir(parents=True)
    source = kept / "_delta_log" / "1.json"
    source.write_text("new")
    (table / "old").write_text("old")
    Change(kept, ("old",)).apply(table)
    copy = table / "_delta_log" / "1.json"
    assert copy.stat().st_mtime_ns == source.stat().st_mtime_ns
    assert [file.name for file in table.rglob("*") if file.is_file()] == ["1.json"]


def test_a_worker_that_dies_is_told(tmp_path: Path) -> None:
    """A side whose process ends is an error that names its log, not a wait."""
    side = Side("stock", [Path("relative.jar")], tmp_path)
    with pytest.raises(RuntimeError, match=r"stock ended at start, see .*stock\.log"):
        side.ready()
    side.close()
