# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Scripts over tables whose schema goes on changing, without Spark: what is in them, how judged."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from parity import chains, dice, live, store
from parity.conditions import EVOLVED, SCHEMA_CHANGED, TRACK
from parity.history import Alter, Create, Insert
from parity.planning import chains as planning
from parity.planning import judge
from parity.planning.differences import another_schema
from parity.planning.log import Log
from parity.planning.table import Columns, Commit, Feature, Properties, Table
from parity.script import Drain, Script, Start, Stop
from parity.test_planning import ANSWERS, NEXT, SCRIPT, answer
from parity.trace import Batch, Failure, Moment

ENOUGH = 300


@pytest.mark.parametrize("seed", range(10))
def test_a_chain_is_the_same_when_read_back(seed: int, tmp_path: Path) -> None:
    """A seed always makes the same script, and a stored script is that script."""
    for found in (planning.script(seed), chains.script(seed)):
        file = store.keep(found, tmp_path)
        assert store.kept(tmp_path)[file.stem] == found
    assert planning.script(seed) == planning.script(seed) != planning.script(seed + 1)
    assert chains.script(seed) == chains.script(seed) != chains.script(seed + 1)


def test_planning_chains_hold_every_kind_of_change() -> None:
    """Columns of every fate, properties and protocols, tracked or not, acknowledged or not."""
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
    counted = sum(judge.due(script) is not None for script in scripts)
    assert ENOUGH * 0.4 < tracked < ENOUGH * 0.8
    assert min(known, ENOUGH - known, counted) > ENOUGH * 0.2


def test_row_chains_hold_every_kind_of_change() -> None:
    """Every statement that changes a schema is in the shared histories, nested columns too."""
    shared = [chains.history(number) for number in range(chains.HISTORIES)]
    told = " ".join(op.change for ops in shared for op in ops if isinstance(op, Alter))
    for part in ("ADD COLUMNS (c", "ADD COLUMNS (place", "RENAME COLUMN", "DROP COLUMN", "TYPE "):
        assert part in told
    for part in ("'mine'", "logRetention", "feature.domain", "DeletionVectors", "Mapping.mode"):
        assert part in told
    assert "place." in told.split("RENAME COLUMN", 1)[1]
    assert {chains.script(seed).whole for seed in range(60)} <= set(shared)


def test_a_chain_writes_what_its_columns_are(tmp_path: Path) -> None:
    """A column keeps its number through a new name, and a wider type says what it was."""
    name, n = planning.START[1], planning.START[2]
    named = replace(name, name="label")
    wider = replace(n, type="long", was=("integer",))
    change = Commit((Columns((named, wider)), Feature("timestampNtz", reader=True)))
    table = Table((change,), columns=(name, n), mapped=True, widening=True)
    Log(table, tmp_path).land(1)
    file = tmp_path / "_delta_log" / f"{1:020d}.json"
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    told = next(line["metaData"] for line in lines if "metaData" in line)
    label, number = json.loads(told["schemaString"])["fields"]
    assert label["name"] == "label"
    assert label["metadata"]["delta.columnMapping.physicalName"] == "col-2"
    assert number["type"] == "long"
    assert number["metadata"]["delta.typeChanges"] == [{"toType": "long", "fromType": "integer"}]
    protocol = next(line["protocol"] for line in lines if "protocol" in line)
    assert protocol["readerFeatures"] == ["columnMapping", "typeWidening", "timestampNtz"]


def test_rows_are_counted_over_runs_that_end_at_a_change() -> None:
    """An error that only ends a run is no reason not to count; any other is, and so is the last."""
    ended = [*ANSWERS[:3], answer(error=EVOLVED), ANSWERS[4]]
    assert judge.amiss(SCRIPT, ended) == []
    assert judge.amiss(SCRIPT, [*ended[:2], answer(), *ended[3:]]) != []
    for over in ([*ended[:2], answer(error="OTHER"), *ended[3:]], [*ended[:4], ended[3]]):
        assert judge.amiss(SCRIPT, over) == []
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
    assert dice.calm(script.whole)


def test_an_early_error_must_come_where_stock_had_it() -> None:
    """Errors before it, which both have, do not hide what ours gives later."""
    error = "DELTA_SOURCE_IGNORE_DELETE"
    stock = [answer(), answer(error=EVOLVED), answer(error=error)]
    assert judge.good_first(stock, [*stock[:2], answer(NEXT), answer(error=error)])
    assert not judge.good_first(stock, [*stock[:2], answer(NEXT), answer(error="OTHER")])
    assert not judge.good_first(stock, [answer(NEXT), *stock[1:]])


def test_a_run_of_one_batch_leaves_a_change_of_schema_to_the_next() -> None:
    """That one knows the newest schema: it names another change, or meets none."""
    changed, other = sorted(SCHEMA_CHANGED)[:2]
    stock = [answer(), answer(error=changed)]
    for later in ([answer(NEXT), answer()], [answer(NEXT), answer(error=other)]):
        assert judge.good_first(stock, [answer(), *later], once=True)
        assert not judge.good_first(stock, [answer(), *later])
    assert not judge.good_first(stock, [answer(), answer(NEXT), answer(error="OTHER")], once=True)
    refused = [answer(), answer(error="DELTA_SOURCE_IGNORE_DELETE")]
    assert not judge.good_first(refused, [answer(), answer(NEXT)], once=True)


def test_another_schema_in_the_same_error_is_allowed_for_a_change_feed() -> None:
    """The schema an error says was read may differ; nothing else may, and for a feed alone."""

    def failed(condition: str, **parameters: str) -> list[dict[str, object]]:
        error = {"condition": condition, "parameters": parameters}
        return [{"batches": [], "error": error, "schemas": []}]

    feed = replace(SCRIPT, table=replace(SCRIPT.table, feed=True))
    one, other = (failed(TRACK, readSchema=read, docLink="a") for read in "12")
    assert another_schema(feed, one, other)
    assert not another_schema(SCRIPT, one, other)
    assert not another_schema(feed, one, failed(TRACK, readSchema="1", docLink="b"))
    assert not another_schema(feed, one, failed("OTHER", readSchema="1", docLink="a"))
