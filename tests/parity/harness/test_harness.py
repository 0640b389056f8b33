# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The harness itself, without Spark: its comparisons find every fault."""

from dataclasses import replace
from pathlib import Path

import pytest

from parity.catalogue.histories import FED, SMALL, TAIL
from parity.expected_rows import added, left
from parity.harness.compare import compare, row_faults, unexplained
from parity.harness.differences import difference
from parity.harness.run import check_place
from parity.harness.tables import Change, common
from parity.harness.trace import Batch, Failure, Moment, Trace, offsets, thrown
from parity.harness.worker_process import WorkerProcess
from parity.history import Append, Create, Delete, Overwrite, Restore
from parity.script import Place

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
def test_a_fault_is_reported(fault: str) -> None:
    """Any difference between two traces is reported, and equal traces report none."""
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
def test_another_error_is_reported(other: Failure) -> None:
    """Errors are compared by condition, parameters, class and step."""
    assert compare((replace(DONE, failure=REFUSED),), (replace(DONE, failure=other),)) != []


def test_lost_and_duplicated_rows_are_counted() -> None:
    """The delivered rows are compared with the written rows, with their counts."""
    assert row_faults(TRACE, (0, 1, 2)) == []
    assert row_faults(TRACE, (0, 1, 2, 3)) == ["lost: [3]"]
    assert row_faults(TRACE, (0, 2)) == ["too many: [1]"]
    assert row_faults(TRACE, (0, 1, 2, 2)) == ["lost: [2]"]


def test_a_replayed_batch_counts_once_and_must_be_the_same() -> None:
    """A sink may keep either delivery of a batch, so both must have the same rows."""
    assert row_faults((DONE, DONE), (0, 1, 2)) == []
    with pytest.raises(AssertionError, match="batch 0 was"):
        row_faults((DONE, FAULTS["a row lost"]), (0, 1, 2))


def test_changes_are_applied_before_they_are_counted() -> None:
    """For a change feed, the final rows of the table are compared with the rows written."""
    rows = ((0, "insert"), (0, "update_preimage"), (1000, "update_postimage"), (1, "insert"))
    fed: Trace = (replace(DONE, batches=(Batch(0, rows), Batch(1, ((1, "delete"),)))),)
    assert row_faults(fed, (1000,)) == []
    assert row_faults(fed, (0, 1000)) == ["lost: [0]"]
    assert row_faults(fed, ()) == ["too many: [1000]"]


def test_the_final_rows_of_a_table_are_known() -> None:
    """The remaining rows follow from the statements alone."""
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
    """Ours may have rows that stock skipped, but no fewer rows and no error."""
    allowed = difference("The recorded start")
    assert allowed is not None
    more = replace(DONE, batches=(*DONE.batches, Batch(2, ((3,),))))
    assert unexplained((DONE,), (more,), allowed) == []
    assert unexplained((more,), (DONE,), allowed) != []
    assert unexplained((DONE,), (replace(more, failure=REFUSED),), allowed) != []


def test_paths_of_a_run_are_masked_in_errors() -> None:
    """The two sides read two copies in different folders."""
    thrown_error = {
        "phase": "run",
        "kind": "A",
        "condition": "B",
        "state": None,
        "parameters": {"path": "file:/tmp/it's 1/table"},
        "message": "",
    }
    found = thrown(thrown_error, {"/tmp/it's 1/table": "<table>"})
    assert found is not None
    assert found.parameters == (("path", "file:<table>"),)


def test_offset_lines_are_read_byte_for_byte(tmp_path: Path) -> None:
    """Only the source's lines are compared: the engine's two lines have timestamps."""
    (tmp_path / "offsets").mkdir()
    (tmp_path / "offsets" / "10").write_text('v1\n{"batchTimestampMs":1}\n' + OFFSET)
    (tmp_path / "offsets" / "9").write_text("v1\n{}\n-")
    (tmp_path / "offsets" / ".9.crc").write_text("x")
    assert offsets(tmp_path) == ((9, "-"), (10, OFFSET))


def test_a_script_that_stops_elsewhere_fails() -> None:
    """A script about one place fails when its stream stops at another."""
    check_place(Place.COMMIT, OFFSET)
    check_place(Place.SNAPSHOT, OFFSET.replace("false", "true"))
    check_place(Place.BOUNDARY, OFFSET.replace('"index":1', '"index":-1'))
    with pytest.raises(ValueError, match="stopped inside a commit"):
        check_place(Place.SNAPSHOT, OFFSET)


def test_rows_are_numbered_in_the_order_they_are_written() -> None:
    """Each row that a history adds has a unique number."""
    history = (Create(), Append(2), Delete((0,)), Append(3, files=3))
    assert added(history) == (0, 1, 2, 3, 4)
    assert history[1].sql("t", 0) == "INSERT INTO t SELECT id FROM range(0, 2, 1, 1)"
    assert (
        Append(1, part="it's").sql("t", 5)
        == r"INSERT INTO t SELECT id, 'it\'s' AS part FROM range(5, 6, 1, 1)"
    )


def test_a_common_prefix_of_histories_is_written_once() -> None:
    """Two histories share the tables of their common prefix."""
    assert common(SMALL + TAIL, SMALL) == len(SMALL)
    assert common(SMALL, (Create(), Append(3, files=3), Append(4))) == 2
    assert common((), SMALL) == 0


def test_a_change_is_copied_with_its_times(tmp_path: Path) -> None:
    """A copy of a table has the same bytes and file times, and the same files are deleted."""
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


def test_a_worker_that_dies_is_reported(tmp_path: Path) -> None:
    """A worker whose process ends fails with an error that names its log, without waiting."""
    worker = WorkerProcess("stock", [Path("relative.jar")], tmp_path)
    with pytest.raises(RuntimeError, match=r"stock exited during start, see .*stock\.log"):
        worker.ready()
    worker.close()
