# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Documented differences as rules for random scripts, each with its row of differences.md."""

import json
from collections import Counter
from dataclasses import replace

from parity.harness.differences import goes_on
from parity.harness.schema_conditions import ENDS_A_RUN, OPTIONS, SCHEMA_CHANGED, TRACK
from parity.harness.trace import Failure, Moment, Trace
from parity.log_edits import CleanUp
from parity.script import Script, Start, Trigger


def another_schema(script: Script, stock: Trace, other: Trace) -> bool:
    """Whether the traces differ only in the version and schema named when a stream with limits
    cannot begin: the row "A stream that cannot begin because the schema or the partitioning
    changed" of docs/internals/differences.md."""
    given = [script.options, *(step.options for step in script.steps if isinstance(step, Start))]
    limited = any(LIMITS & set(options) for options in given)
    return limited and unread(stock) == unread(other)


def lost_start(script: Script, stock: Trace, other: Trace) -> bool:
    """Whether both fail because commits were cleaned up, and stock resolves its start again: the
    row "The recorded start" of docs/internals/differences.md."""
    first = first_difference(stock, other)
    if first is None or not any(isinstance(op, CleanUp) for op in script.whole):
        return False
    one, two = stock[first].failure, other[first].failure
    return one is not None and two is not None and one.name in LOST and two.name in LOST


def excluded_marker(script: Script, stock: Trace, other: Trace) -> bool:
    """Whether stock fails at a schema change's marker because `excludeRegex` needs its path: the
    row "A change of schema that a change feed with `excludeRegex` tracks"."""
    first = first_difference(stock, other)
    if first is None or not script.feed or "excludeRegex" not in script.options:
        return False
    failed = stock[first].failure
    return failed is not None and failed.name == "NullPointerException"


def first_difference(stock: Trace, other: Trace) -> int | None:
    """The first step at which two traces differ."""
    pairs = enumerate(zip(stock, other, strict=True))
    return next((number for number, (one, two) in pairs if one != two), None)


LOST = {
    "DELTA_VERSION_NOT_FOUND",
    "DELTA_LOG_FILE_NOT_FOUND",
    "DELTA_LOG_FILE_NOT_FOUND_FOR_STREAMING_SOURCE",
    "DELTA_MISSING_FILES_UNEXPECTED_VERSION",
    "DELTA_STREAMING_CHECK_COLUMN_MAPPING_NO_SNAPSHOT",
}


def after_the_bound(script: Script, stock: Trace, other: Trace) -> bool:
    """Whether our AvailableNow run ends at its bound while stock's fails over a schema change after
    it: the row "After the bound of AvailableNow" of differences.md. Both must deliver the
    same rows in the end; those after the change may be read by another run."""
    number = first_difference(stock, other)
    if number is None:
        return False
    started = [step for step in script.steps[: number + 1] if isinstance(step, Start)]
    failed, ended = stock[number].failure, other[number]
    return (
        bool(started)
        and started[-1].trigger is Trigger.AVAILABLE_NOW
        and failed is not None
        and failed.condition in ENDS_A_RUN
        and ended.state in ("over", "held")
        and (goes_on(stock[: number + 1], other[: number + 1]) or at_change(stock[number], ended))
        and numbers(stock) == numbers(other)
    )


def at_change(stock: Moment, other: Moment) -> bool:
    """Whether stock has reached a schema change, and no other offset that the other lacks. The last
    batch of the other may end at its bound, just before the change."""
    reached, there = dict(stock.offsets), dict(other.offsets)
    more = [number for number, line in reached.items() if there.get(number) != line]
    return there.keys() <= reached.keys() and all(
        at_marker(reached[number])
        and (number not in there or before(there[number], reached[number]))
        for number in more
    )


def at_marker(line: str) -> bool:
    return any(index in line for index in CHANGE)


def before(line: str, change: str) -> bool:
    """Whether an offset is the start of the version that changes the schema."""
    one, other = json.loads(line), json.loads(change)
    return bool(one["index"] == -1 and one["reservoirVersion"] == other["reservoirVersion"])


def past_the_change(script: Script, stock: Trace, other: Trace) -> bool:
    """Whether stock's AvailableNow run, resumed at a schema change, delivers nothing after it: the
    row "The bound of AvailableNow" of differences.md. Ours delivers what stock's next run
    does, and of a change feed what stock loses."""
    number = first_difference(stock, other)
    if number is None:
        return False
    started = [step for step in script.steps[: number + 1] if isinstance(step, Start)]
    offsets = dict(stock[number].offsets)
    return (
        bool(started)
        and started[-1].trigger is Trigger.AVAILABLE_NOW
        and stock[number].state in ("over", "failed")
        and bool(offsets)
        and CHANGE[1] in offsets[max(offsets)]
        and offsets.items() <= dict(other[number].offsets).items()
        and numbers(stock) <= numbers(other)
    )


def bad_backlog(script: Script, stock: Trace, other: Trace) -> bool:
    """Whether stock's AvailableNow runs fail over a commit of the backlog, and ours over the schema
    at their start: the row "The bound of AvailableNow" of differences.md. Stock plans the
    backlog before it compares schemas. Nothing else may differ."""
    trigger = None
    before = offsets = stock[0].offsets[:0]
    for step, one, two in zip(script.steps, stock, other, strict=True):
        if isinstance(step, Start):
            trigger, before = step.trigger, offsets
        offsets = one.offsets
        if one != two and not (
            trigger is Trigger.AVAILABLE_NOW
            and condition(one) in BAD_COMMITS
            and condition(two) in SCHEMA_CHANGED
            and replace(one, failure=None) == replace(two, failure=None)
            and (one.batches, one.offsets) == ((), before)
        ):
            return False
    return stock != other


BAD_COMMITS = {"DELTA_SOURCE_TABLE_IGNORE_CHANGES", "DELTA_SOURCE_IGNORE_DELETE"}


def condition(moment: Moment) -> str | None:
    return moment.failure.condition if moment.failure else None


CHANGE = ('"index":-20,', '"index":-19,')
"""The index of an offset at a schema change, and after it."""


def numbers(trace: Trace) -> Counter[int]:
    """The rows by number; of a replayed batch, the last delivery."""
    last = {batch.id: batch for moment in trace for batch in moment.batches}
    return Counter(row[0] for batch in last.values() for row in batch.rows)


LIMITS = {"maxFilesPerTrigger", "maxBytesPerTrigger"}


def unread(trace: Trace) -> Trace:
    return tuple(
        moment
        if moment.failure is None or moment.failure.condition not in (TRACK, OPTIONS)
        else replace(moment, failure=replace(moment.failure, parameters=others(moment.failure)))
        for moment in trace
    )


def others(failure: Failure) -> tuple[tuple[str, str | None], ...]:
    named = ("readSchema",) if failure.condition == TRACK else ("version", "dataSchema")
    return tuple(pair for pair in failure.parameters if pair[0] not in named)


RULES = (
    another_schema,
    after_the_bound,
    past_the_change,
    bad_backlog,
    lost_start,
    excluded_marker,
)
