# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Scripts over tables whose schema keeps changing, without Spark: content and comparison."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from parity.generators import row_scripts, schema_scripts
from parity.harness import live, stored_failures
from parity.harness.schema_conditions import CHANGED, EVOLVED, SCHEMA_CHANGED, TRACK
from parity.harness.trace import Batch, Failure, Moment
from parity.history import Alter, Create, Insert
from parity.planning import compare
from parity.planning import random_schema_changes as planning
from parity.planning.differences import another_schema, bad_backlog
from parity.planning.log import Log
from parity.planning.script import Mode, Open, Rest
from parity.planning.table import Columns, Commit, Feature, Properties, Table
from parity.planning.test_planning import ANSWERS, NEXT, SCRIPT, answer
from parity.script import Drain, Script, Start, Stop

ENOUGH = 300


@pytest.mark.parametrize("seed", range(10))
def test_a_seed_always_makes_the_same_chain(seed: int, tmp_path: Path) -> None:
    """A seed always makes the same script, and a stored script is read as that script."""
    for found in (planning.script(seed), schema_scripts.script(seed)):
        file = stored_failures.keep(found, tmp_path)
        assert stored_failures.kept(tmp_path)[file.stem] == found
    assert planning.script(seed) == planning.script(seed) != planning.script(seed + 1)
    assert (
        schema_scripts.script(seed)
        == schema_scripts.script(seed)
        != schema_scripts.script(seed + 1)
    )


def test_planning_chains_hold_every_kind_of_change() -> None:
    """All column changes, properties and protocols, tracked or not, acknowledged or not."""
    scripts = [planning.script(seed) for seed in range(ENOUGH)]
    actions = Counter(
        type(action)
        for script in scripts
        for commit in script.table.commits
        for action in commit.actions
    )
    assert min(actions[kind] for kind in (Columns, Properties, Feature)) > 50
    assert set(planning.FEATURES) <= {
        action for script in scripts for commit in script.table.commits for action in commit.actions
    }
    tracked = sum("schemaTrackingLocation" in script.options for script in scripts)
    known = sum("allowSource" in str(script.steps) for script in scripts)
    counted = sum(compare.due(script) is not None for script in scripts)
    assert ENOUGH * 0.4 < tracked < ENOUGH * 0.8
    assert min(known, ENOUGH - known, counted) > ENOUGH * 0.2


def test_row_chains_hold_every_kind_of_change() -> None:
    """The shared histories have every statement that changes a schema, nested columns included."""
    shared = [schema_scripts.history(number) for number in range(schema_scripts.HISTORIES)]
    changes = " ".join(op.change for ops in shared for op in ops if isinstance(op, Alter))
    for part in ("ADD COLUMNS (c", "ADD COLUMNS (place", "RENAME COLUMN", "DROP COLUMN", "TYPE "):
        assert part in changes
    for part in ("'mine'", "logRetention", "feature.domain", "DeletionVectors", "Mapping.mode"):
        assert part in changes
    assert "place." in changes.split("RENAME COLUMN", 1)[1]
    assert {schema_scripts.script(seed).whole for seed in range(60)} <= set(shared)


def test_a_chain_writes_the_metadata_of_its_columns(tmp_path: Path) -> None:
    """A renamed column keeps its id, and a widened type records the old one."""
    name, n = planning.START[1], planning.START[2]
    named = replace(name, name="label")
    wider = replace(n, type="long", was=("integer",))
    change = Commit((Columns((named, wider)), Feature("timestampNtz", reader=True)))
    table = Table((change,), columns=(name, n), mapped=True, widening=True)
    Log(table, tmp_path).land(1)
    file = tmp_path / "_delta_log" / f"{1:020d}.json"
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    metadata = next(line["metaData"] for line in lines if "metaData" in line)
    label, number = json.loads(metadata["schemaString"])["fields"]
    assert label["name"] == "label"
    assert label["metadata"]["delta.columnMapping.physicalName"] == "col-2"
    assert number["type"] == "long"
    assert number["metadata"]["delta.typeChanges"] == [{"toType": "long", "fromType": "integer"}]
    protocol = next(line["protocol"] for line in lines if "protocol" in line)
    assert protocol["readerFeatures"] == ["columnMapping", "typeWidening", "timestampNtz"]


def test_rows_are_counted_over_runs_that_end_at_a_change() -> None:
    """Rows are counted if each error only ends its run and the last run does not fail."""
    ended = [*ANSWERS[:3], answer(error=EVOLVED), ANSWERS[4]]
    assert compare.row_faults(SCRIPT, ended) == []
    assert compare.row_faults(SCRIPT, [*ended[:2], answer(), *ended[3:]]) != []
    for over in ([*ended[:2], answer(error="OTHER"), *ended[3:]], [*ended[:4], ended[3]]):
        assert compare.row_faults(SCRIPT, over) == []
    failure = Failure("run", "", EVOLVED, None, (), None)
    script = Script(
        name="",
        why="",
        cites="",
        history=(Create(), Insert("1", rows=2)),
        steps=(Start(), Drain(), Stop(), Start(), Drain(), Stop()),
    )
    rest = Moment("", "over", (), (), (), None)
    lost = (rest, replace(rest, batches=(Batch(0, ((0, [1]),)),), failure=failure), *[rest] * 4)
    assert live.counted(script, lost) == ["lost: [1]"]
    other = replace(failure, condition="OTHER")
    assert live.counted(script, (lost[0], replace(lost[1], failure=other), *lost[2:])) == []
    assert row_scripts.calm(script.whole)


def test_an_early_error_must_be_that_of_stock() -> None:
    """Earlier errors of both sides do not hide what ours delivers later."""
    error = "DELTA_SOURCE_IGNORE_DELETE"
    stock = [answer(), answer(error=EVOLVED), answer(error=error)]
    assert compare.good_first(stock, [*stock[:2], answer(NEXT), answer(error=error)])
    assert not compare.good_first(stock, [*stock[:2], answer(NEXT), answer(error="OTHER")])
    assert not compare.good_first(stock, [answer(NEXT), *stock[1:]])


def test_a_run_of_one_batch_leaves_a_change_of_schema_to_the_next() -> None:
    """The next run reads the newest schema: it names another change, or none."""
    changed, other = sorted(SCHEMA_CHANGED)[:2]
    stock = [answer(), answer(error=changed)]
    for later in ([answer(NEXT), answer()], [answer(NEXT), answer(error=other)]):
        assert compare.good_first(stock, [answer(), *later], once=True)
        assert not compare.good_first(stock, [answer(), *later])
    assert not compare.good_first(stock, [answer(), answer(NEXT), answer(error="OTHER")], once=True)
    refused = [answer(), answer(error="DELTA_SOURCE_IGNORE_DELETE")]
    assert not compare.good_first(refused, [answer(), answer(NEXT)], once=True)


def test_another_schema_in_the_same_error_is_allowed_for_a_change_feed() -> None:
    """Only the read schema in the error may differ, and only for a change feed."""

    def failed(condition: str, **parameters: str) -> list[dict[str, object]]:
        error = {"condition": condition, "parameters": parameters}
        return [{"batches": [], "error": error, "schemas": []}]

    feed = replace(SCRIPT, table=replace(SCRIPT.table, feed=True))
    one, other = (failed(TRACK, readSchema=read, docLink="a") for read in "12")
    assert another_schema(feed, one, other)
    assert not another_schema(SCRIPT, one, other)
    assert not another_schema(feed, one, failed(TRACK, readSchema="1", docLink="b"))
    assert not another_schema(feed, one, failed("OTHER", readSchema="1", docLink="a"))


def test_an_available_now_run_of_stock_may_fail_over_its_backlog_first() -> None:
    """Ours fails over the schema at its start; nothing else may differ."""
    now = replace(SCRIPT, steps=(Open(mode=Mode.NOW), Rest(), Rest()))
    stock = [answer(), answer(error=CHANGED), answer()]
    ours = [answer(), answer(error=TRACK), answer()]
    assert bad_backlog(now, stock, ours)
    assert not bad_backlog(now, ours, stock)
    assert not bad_backlog(now, ours, ours)
    assert not bad_backlog(replace(now, steps=(Open(), Rest(), Rest())), stock, ours)
    assert not bad_backlog(now, stock, [*ours[:2], answer(NEXT)])
    assert not bad_backlog(now, [answer(), answer(NEXT, error=CHANGED), answer()], ours)
    assert not bad_backlog(now, [answer(), answer(error="OTHER"), answer()], ours)
