# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Every script on stock and on ours, alone and with the checkpoint changing hands at each stop."""

import pytest

from parity.catalogue import SCRIPTS
from parity.compare import amiss, compare, surplus, unexplained
from parity.differences import difference
from parity.script import Forge, Script
from parity.stage import OURS, STOCK, Stage, alone, in_turns
from parity.trace import Failure, failure

# A forged checkpoint is handed over by nobody.
SWAPPED = [
    script
    for script in SCRIPTS
    if script.legs > 1 and not any(isinstance(step, Forge) for step in script.steps)
]


def by_name(script: Script) -> str:
    return script.name


@pytest.mark.parametrize("script", SCRIPTS, ids=by_name)
def test_both_sides_give_the_same(stage: Stage, script: Script) -> None:
    """Rows, offsets, batch boundaries and errors of a script are those of stock."""
    stock, ours = stage.traces(script, alone(STOCK, script), alone(OURS, script))
    allowed = difference(script.allows)
    assert unexplained(stock, ours, allowed) == []
    assert amiss(ours, script.expected) == []
    assert surplus(stock, script.expected) == []
    assert name_of(failure(stock)) == script.fails
    if allowed is None or not allowed.fewer:
        assert amiss(stock, script.expected) == []
    if allowed is not None:
        assert compare(stock, ours) != [], f"not needed any more by this script: {allowed.name!r}"


@pytest.mark.parametrize("first", [STOCK, OURS])
@pytest.mark.parametrize("script", SWAPPED, ids=by_name)
def test_a_checkpoint_changes_hands(stage: Stage, script: Script, first: str) -> None:
    """A checkpoint of one side is resumed by the other as if nobody had changed places."""
    casts = [alone(STOCK, script), in_turns(STOCK, script), in_turns(OURS, script)]
    stock, *mixed = stage.traces(script, *casts)
    trace = mixed[0 if first == STOCK else 1]
    allowed = difference(script.allows)
    assert unexplained(stock, trace, allowed) == []
    assert surplus(trace, script.expected) == []
    if allowed is None or not allowed.fewer:
        assert amiss(trace, script.expected) == []


def test_each_side_is_what_it_says(stage: Stage) -> None:
    """Stock's source comes from the published jar and ours from the bundle."""
    name = "org.apache.spark.sql.delta.sources.DeltaSource"
    assert "delta-spark_" in stage.side(STOCK).call("origin", name=name)
    assert "deltasource-spark_" in stage.side(OURS).call("origin", name=name)


def name_of(failure: Failure | None) -> str:
    return failure.name if failure else ""
