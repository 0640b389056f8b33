# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Random scripts by their seeds: run, and what fails shrunk and stored."""

import random
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import TypeVar

from parity import chains, dice, live, settings, store
from parity.planning import chains as planned_chains
from parity.planning import dice as planning
from parity.planning.script import Plans
from parity.planning.trial import Result as Planned
from parity.planning.trial import Trial
from parity.script import Script
from parity.shrink import shrink
from parity.stage import OURS, STOCK, Cast, Stage, alone, in_turns

AT_ONCE = 10
"""Planning scripts that a worker gets in one go."""

TRIALS = 25
"""How often a row script is run to make it smaller: each trial writes a table."""

T = TypeVar("T")


PLANS = {"planning": planning.script, "chains": planned_chains.script}
ROWS = {"rows": dice.script, "chain-rows": chains.script, "confs": settings.script}
"""What makes a script of a seed, by its kind."""


def plans(stage: Stage, seeds: Iterable[int], made: Callable[[int], Plans]) -> Iterator[Planned]:
    trial = Trial(stage.side(STOCK), stage.side(OURS))
    for part in parts(seeds, AT_ONCE):
        for result in trial.run([made(seed) for seed in part]):
            if result.faults:
                store.keep(shrink(result.script, trial.fails))
            yield result


def rows(
    stage: Stage, seeds: Iterable[int], made: Callable[[int], Script]
) -> Iterator[live.Result]:
    for seed in seeds:
        script = made(seed)
        which = random.Random(f"cast {seed}").choice((OURS, STOCK, "turns"))
        result = live.made_up(stage, script, cast(script, which))
        if result.faults:
            store.keep(shrink(script, partial(fails, stage, which), TRIALS))
        yield result


def cast(script: Script, which: str) -> Cast:
    """Ours alone, or the two in turns; of one leg only ours is of interest."""
    if script.legs == 1 or which == OURS:
        return alone(OURS, script)
    return in_turns(STOCK if which == STOCK else OURS, script)


def fails(stage: Stage, which: str, script: Script) -> bool:
    """Whether a shrunk script still shows a difference; one that makes no sense shows none."""
    script = store.renamed(script)
    try:
        return bool(live.made_up(stage, script, cast(script, which)).faults)
    except (AssertionError, RuntimeError, ValueError, StopIteration):
        return False


def parts(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while part := list(islice(rest, size)):
        yield part
