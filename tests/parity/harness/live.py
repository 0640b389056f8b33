# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs row scripts on both sides and alternating, and compares; for tests and `make parity`."""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from parity.generators import row_scripts
from parity.harness import codec, compare, difference_rules
from parity.harness.both_sides import OURS, STOCK, Cast, ScriptRunner, alone, in_turns
from parity.harness.differences import difference, goes_on, good_data_first
from parity.harness.schema_conditions import ENDS_A_RUN, may_follow
from parity.harness.trace import Trace, failure
from parity.history import Alter
from parity.script import Drain, Script, Start, Step, Stop, Trigger, Write
from support import build


@dataclass(frozen=True)
class Result:
    script: Script
    faults: tuple[str, ...]
    steps: int
    swaps: int
    batches: int


def compare_random_script(runner: ScriptRunner, script: Script, cast: Cast) -> Result:
    """Runs a random script on stock and on `cast`, and compares the two."""
    stock, other = runner.traces(script, alone(STOCK, script), cast)
    faults = compare.compare(stock, other)
    restarted = remembered(script, stock, other)
    if restarted or (faults and goes_first(runner, script, cast, stock, other)):
        faults = []
    if any(rule(script, stock, other) for rule in difference_rules.RULES):
        faults = []
    faults += counted(script, stock)
    # When stock resolves its start again, it loses rows, and replays a batch of ours differently.
    if not (restarted and STOCK in cast):
        faults += counted(script, other)
    return Result(script, tuple(faults), len(script.steps), swaps(cast), batches(other))


def every_way(runner: ScriptRunner, script: Script) -> tuple[str, ...]:
    """The faults of a random script on ours and alternating."""
    casts = (alone(OURS, script), in_turns(STOCK, script), in_turns(OURS, script))
    return tuple(
        fault for cast in casts for fault in compare_random_script(runner, script, cast).faults
    )


def goes_first(
    runner: ScriptRunner, script: Script, cast: Cast, stock: Trace, other: Trace
) -> bool:
    """Whether the traces differ where stock fails early, and ours, resumed there, delivers the same
    and perhaps more, then fails alike."""
    number = next(n for n, (one, two) in enumerate(zip(stock, other, strict=True)) if one != two)
    failed = stock[number].failure
    if failed is None:
        return False
    # With Once the run ends after the good data, and the next run fails.
    more = (Drain(), Stop(), Start(), Drain(), Stop())
    steps: tuple[Step, ...] = (*script.steps[: number + 1], *more)
    cut = replace(script, name=f"{script.name}, up to {number}", steps=steps)
    started = [step for step in script.steps[: number + 1] if isinstance(step, Start)]
    ours = runner.traces(cut, (*cast[: len(started)], OURS))[0]
    if stock[:number] != ours[:number]:
        return False
    last, later = stock[number : number + 1], ours[number:]
    once = started[-1].trigger is Trigger.ONCE
    names = [moment.failure.name for moment in later if moment.failure is not None]
    next_run = once and may_follow(failed.name, names) and goes_on(last, later)
    return next_run or good_data_first(last, later)


def remembered(script: Script, stock: Trace, other: Trace) -> bool:
    """Whether the traces differ only after restarting a stream from the newest version: stock
    resolves that version again, ours remembers it."""
    if script.options.get("startingVersion") != "latest" or script.legs == 1:
        return False
    second = [n for n, step in enumerate(script.steps) if isinstance(step, Start)][1]
    return stock[:second] == other[:second]


def counted(script: Script, trace: Trace) -> list[str]:
    """Rows lost or delivered too often, where the expected rows are known."""
    known = not {"startingVersion", "startingTimestamp"} & set(script.options)
    whole = known or script.options.get("startingVersion") == "0"
    # Rows of excluded files are not lost.
    whole = whole and "excludeRegex" not in script.options
    failed = [moment.failure.name for moment in trace if moment.failure is not None]
    if (
        not ENDS_A_RUN.issuperset(failed)
        or not row_scripts.calm(script.whole)
        or trace[-2].state == "failed"
    ):
        return []
    try:
        found = compare.surplus(trace, script.expected)
        return compare.row_faults(trace, script.expected) if whole and drained(script) else found
    except AssertionError as error:
        return [] if reshaped(script) else [str(error)]


def reshaped(script: Script) -> bool:
    """Whether columns change while the stream is stopped or runs: a batch replayed after that is
    read with the new columns."""
    later = [op for step in script.steps if isinstance(step, Write) for op in step.ops]
    return any(isinstance(op, Alter) and RESHAPES.search(op.change) for op in later)


RESHAPES = re.compile(" COLUMNS? .*( AFTER | TYPE )|(ADD|DROP|RENAME) COLUMN")


def drained(script: Script) -> bool:
    """Whether the last leg reads to the end; Once only runs the planned batch, if there is one."""
    last = [step for step in script.steps if isinstance(step, Start)][-1]
    return isinstance(script.steps[-2], Drain) and last.trigger is not Trigger.ONCE


def swaps(cast: Cast) -> int:
    return sum(one != other for one, other in itertools.pairwise(cast))


def batches(trace: Trace) -> int:
    return sum(len(moment.batches) for moment in trace)


def catalogue_faults(runner: ScriptRunner, script: Script, cast: Cast) -> list[str]:
    """The faults of a catalogue script: its expectations must hold for both sides."""
    stock, other = runner.traces(script, alone(STOCK, script), cast)
    return trace_faults(script, stock, other, swapped=STOCK in cast)


def same_end(stock: Trace, other: Trace) -> bool:
    """Whether both end in the same error, as for a file that Spark has a condition for."""
    return failure(stock) == failure(other)


def trace_faults(script: Script, stock: Trace, other: Trace, *, swapped: bool) -> list[str]:
    """The faults of a trace compared with stock's, and of stock's compared with the script."""
    if build.LINE in script.unreadable_on:
        script = replace(
            script,
            fails="FAILED_READ_FILE.NO_HINT",
            allows=script.allows if same_end(stock, other) else "Data file that cannot be read",
            rows=(),
        )
    allowed = difference(script.allows)
    faults = compare.unexplained(stock, other, allowed)
    if allowed is None or not allowed.more:
        faults += compare.surplus(stock, script.expected)
    found = failure(stock)
    if (found.name if found else "") != script.fails:
        faults.append(f"stock failed with {found}, not with {script.fails!r}")
    if allowed is None or not (allowed.fewer or allowed.more):
        faults += compare.row_faults(stock, script.expected)
    if swapped and allowed is not None and allowed.fewer:
        return faults + compare.surplus(other, script.expected)
    if not swapped and allowed is not None and not compare.compare(stock, other):
        faults.append(f"no longer needed: {allowed.name!r}")
    return faults + compare.row_faults(other, script.expected)


def doubles(traces: Iterable[tuple[Script, Trace]]) -> list[str]:
    """Scripts that differ from an earlier one only in name, history or reason."""
    seen: dict[str, str] = {}
    found: list[str] = []
    for script, trace in traces:
        plain = codec.written((script.options, kinds(script.steps), trace))
        first = seen.setdefault(TABLE_ID.sub("", plain), script.name)
        if first != script.name:
            found.append(f"{script.name!r} has the same trace as {first!r}")
    return found


def kinds(steps: tuple[Step, ...]) -> tuple[object, ...]:
    """The steps without the operations of Write, whose effects are in the trace."""
    return tuple(
        type(step).__name__ if isinstance(step, Write) else replace(step) for step in steps
    )


TABLE_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def in_one_line(faults: Sequence[str]) -> str:
    return "; ".join(faults)[:2000]
