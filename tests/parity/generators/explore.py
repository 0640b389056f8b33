# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs random scripts by seed; failing ones are shrunk and stored."""

import random
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import TypeVar

from parity.generators import conf_scripts, row_scripts, schema_scripts
from parity.generators.shrink import shrink
from parity.harness import live, stored_failures
from parity.harness.both_sides import OURS, STOCK, Cast, ScriptRunner, alone, in_turns
from parity.planning import random_schema_changes, random_scripts
from parity.planning.live_comparison import LiveComparison
from parity.planning.live_comparison import Result as Planned
from parity.planning.script import Plans
from parity.script import Script

AT_ONCE = 10
"""Planning scripts per call to a worker."""

TRIALS = 25
"""How often a row script is run to shrink it: each trial writes a table."""

T = TypeVar("T")


PLANS = {"planning": random_scripts.script, "chains": random_schema_changes.script}
ROWS = {
    "rows": row_scripts.script,
    "chain-rows": schema_scripts.script,
    "confs": conf_scripts.script,
}
"""The function that makes a script from a seed, by kind."""


def plans(
    runner: ScriptRunner, seeds: Iterable[int], made: Callable[[int], Plans]
) -> Iterator[Planned]:
    comparison = LiveComparison(runner.worker(STOCK), runner.worker(OURS))
    for part in parts(seeds, AT_ONCE):
        for result in comparison.run([made(seed) for seed in part]):
            if result.faults:
                stored_failures.keep(shrink(result.script, comparison.fails))
            yield result


def rows(
    runner: ScriptRunner, seeds: Iterable[int], made: Callable[[int], Script]
) -> Iterator[live.Result]:
    for seed in seeds:
        script = made(seed)
        which = random.Random(f"cast {seed}").choice((OURS, STOCK, "turns"))
        result = live.compare_random_script(runner, script, cast(script, which))
        if result.faults:
            stored_failures.keep(shrink(script, partial(fails, runner, which), TRIALS))
        yield result


def cast(script: Script, which: str) -> Cast:
    """Ours alone, or both alternating; a script with one leg runs on ours."""
    if script.legs == 1 or which == OURS:
        return alone(OURS, script)
    return in_turns(STOCK if which == STOCK else OURS, script)


def fails(runner: ScriptRunner, which: str, script: Script) -> bool:
    """Whether a shrunk script still shows a difference; an invalid script shows none."""
    script = stored_failures.renamed(script)
    try:
        return bool(live.compare_random_script(runner, script, cast(script, which)).faults)
    except (AssertionError, RuntimeError, ValueError, StopIteration):
        return False


def parts(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while part := list(islice(rest, size)):
        yield part
