# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A row script on both sides and in turns, judged: what the catalogue's tests and the run share."""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from parity import codec, compare, dice, explained
from parity.conditions import ENDS_A_RUN, may_follow
from parity.differences import difference, goes_on, good_data_first
from parity.history import Alter
from parity.script import Drain, Script, Start, Step, Stop, Trigger, Write
from parity.stage import OURS, STOCK, Cast, Stage, alone, in_turns
from parity.trace import Trace, failure


@dataclass(frozen=True)
class Result:
    script: Script
    faults: tuple[str, ...]
    steps: int
    swaps: int
    batches: int


def made_up(stage: Stage, script: Script, cast: Cast) -> Result:
    """A random script: stock against ours, or against a checkpoint that changes hands."""
    stock, other = stage.traces(script, alone(STOCK, script), cast)
    faults = compare.compare(stock, other)
    begun_anew = remembered(script, stock, other)
    if begun_anew or (faults and goes_first(stage, script, cast, stock, other)):
        faults = []
    if any(rule(script, stock, other) for rule in explained.RULES):
        faults = []
    faults += counted(script, stock)
    # Where stock begins anew it loses rows, and gives a batch otherwise than ours did.
    if not (begun_anew and STOCK in cast):
        faults += counted(script, other)
    return Result(script, tuple(faults), len(script.steps), swaps(cast), batches(other))


def every_way(stage: Stage, script: Script) -> tuple[str, ...]:
    """What is wrong with a random script on ours and in turns."""
    casts = (alone(OURS, script), in_turns(STOCK, script), in_turns(OURS, script))
    return tuple(fault for cast in casts for fault in made_up(stage, script, cast).faults)


def goes_first(stage: Stage, script: Script, cast: Cast, stock: Trace, other: Trace) -> bool:
    """Whether the two part where stock failed early, and ours, who has the checkpoint there, gives
    the same and perhaps more and fails alike."""
    number = next(n for n, (one, two) in enumerate(zip(stock, other, strict=True)) if one != two)
    failed = stock[number].failure
    if failed is None:
        return False
    # With Once the run is over after the good data, and the error is that of the next.
    more = (Drain(), Stop(), Start(), Drain(), Stop())
    steps: tuple[Step, ...] = (*script.steps[: number + 1], *more)
    cut = replace(script, name=f"{script.name}, up to {number}", steps=steps)
    started = [step for step in script.steps[: number + 1] if isinstance(step, Start)]
    ours = stage.traces(cut, (*cast[: len(started)], OURS))[0]
    if stock[:number] != ours[:number]:
        return False
    last, later = stock[number : number + 1], ours[number:]
    once = started[-1].trigger is Trigger.ONCE
    names = [moment.failure.name for moment in later if moment.failure is not None]
    next_run = once and may_follow(failed.name, names) and goes_on(last, later)
    return next_run or good_data_first(last, later)


def remembered(script: Script, stock: Trace, other: Trace) -> bool:
    """Whether the two part only after a restart of a stream from the newest version: stock looks
    again for where that begins, ours remembers it."""
    if script.options.get("startingVersion") != "latest" or script.legs == 1:
        return False
    second = [n for n, step in enumerate(script.steps) if isinstance(step, Start)][1]
    return stock[:second] == other[:second]


def counted(script: Script, trace: Trace) -> list[str]:
    """Rows lost or given too often, where counting can tell."""
    known = not {"startingVersion", "startingTimestamp"} & set(script.options)
    whole = known or script.options.get("startingVersion") == "0"
    # Files that are left out are nobody's loss.
    whole = whole and "excludeRegex" not in script.options
    failed = [moment.failure.name for moment in trace if moment.failure is not None]
    if (
        not ENDS_A_RUN.issuperset(failed)
        or not dice.calm(script.whole)
        or trace[-2].state == "failed"
    ):
        return []
    try:
        found = compare.surplus(trace, script.expected)
        return compare.amiss(trace, script.expected) if whole and drained(script) else found
    except AssertionError as error:
        return [] if reshaped(script) else [str(error)]


def reshaped(script: Script) -> bool:
    """Whether columns change while the stream is stopped or runs: a batch that is replayed after
    that is read with the new columns."""
    later = [op for step in script.steps if isinstance(step, Write) for op in step.ops]
    return any(isinstance(op, Alter) and RESHAPES.search(op.change) for op in later)


RESHAPES = re.compile(" COLUMNS? .*( AFTER | TYPE )|(ADD|DROP|RENAME) COLUMN")


def drained(script: Script) -> bool:
    """Whether the last leg goes to the end; Once does only what was planned, if anything was."""
    last = [step for step in script.steps if isinstance(step, Start)][-1]
    return isinstance(script.steps[-2], Drain) and last.trigger is not Trigger.ONCE


def swaps(cast: Cast) -> int:
    return sum(one != other for one, other in itertools.pairwise(cast))


def batches(trace: Trace) -> int:
    return sum(len(moment.batches) for moment in trace)


def catalogued(stage: Stage, script: Script, cast: Cast) -> list[str]:
    """A catalogue script: what it says must hold for both."""
    stock, other = stage.traces(script, alone(STOCK, script), cast)
    return judged(script, stock, other, swapped=STOCK in cast)


def judged(script: Script, stock: Trace, other: Trace, *, swapped: bool) -> list[str]:
    """What is wrong with a trace beside stock's, and with stock's beside the script."""
    allowed = difference(script.allows)
    faults = compare.unexplained(stock, other, allowed)
    if allowed is None or not allowed.more:
        faults += compare.surplus(stock, script.expected)
    found = failure(stock)
    if (found.name if found else "") != script.fails:
        faults.append(f"stock failed with {found}, not with {script.fails!r}")
    if allowed is None or not (allowed.fewer or allowed.more):
        faults += compare.amiss(stock, script.expected)
    if swapped and allowed is not None and allowed.fewer:
        return faults + compare.surplus(other, script.expected)
    if not swapped and allowed is not None and not compare.compare(stock, other):
        faults.append(f"not needed any more: {allowed.name!r}")
    return faults + compare.amiss(other, script.expected)


def doubles(traces: Iterable[tuple[Script, Trace]]) -> list[str]:
    """Scripts that differ from one before them by name, history or reason only."""
    seen: dict[str, str] = {}
    found: list[str] = []
    for script, trace in traces:
        plain = codec.written((script.options, kinds(script.steps), trace))
        first = seen.setdefault(TABLE_ID.sub("", plain), script.name)
        if first != script.name:
            found.append(f"{script.name!r} has the trace of {first!r}")
    return found


def kinds(steps: tuple[Step, ...]) -> tuple[object, ...]:
    """The steps without what is written: that shows in the trace, or not at all."""
    return tuple(
        type(step).__name__ if isinstance(step, Write) else replace(step) for step in steps
    )


TABLE_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


def in_one_line(faults: Sequence[str]) -> str:
    return "; ".join(faults)[:2000]
