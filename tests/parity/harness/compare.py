# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Compares two traces, and the rows of a trace with the rows written."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TypeVar

from parity.harness.differences import Difference
from parity.harness.trace import Batch, Failure, Moment, Trace

K = TypeVar("K", int, str)


def compare(stock: Trace, ours: Trace) -> list[str]:
    """The differences between two traces, one per line; empty if they are equal."""
    return [line for one, other in zip(stock, ours, strict=True) for line in parts(one, other)]


def unexplained(stock: Trace, ours: Trace, allowed: Difference | None) -> list[str]:
    """Like `compare`, but empty if the allowed difference explains all differences."""
    explained = allowed is not None and allowed.explains(stock, ours)
    return [] if explained else compare(stock, ours)


def parts(stock: Moment, ours: Moment) -> Iterator[str]:
    def part(what: str, one: object, other: object) -> Iterator[str]:
        if one != other:
            yield f"after {stock.step}: {what}: stock {one}, ours {other}"

    yield from part("state", stock.state, ours.state)
    yield from numbered("batch", rows(stock), rows(ours), stock.step)
    yield from numbered("offset", dict(stock.offsets), dict(ours.offsets), stock.step)
    yield from part("commits", stock.commits, ours.commits)
    yield from numbered("schema", dict(stock.schemas), dict(ours.schemas), stock.step)
    yield from part("error", brief(stock.failure), brief(ours.failure))


def numbered(
    what: str, stock: Mapping[K, object], ours: Mapping[K, object], step: str
) -> Iterator[str]:
    for number in sorted(stock.keys() | ours.keys()):
        one, other = stock.get(number, "none"), ours.get(number, "none")
        if one != other:
            yield f"after {step}: {what} {number}: stock {one}, ours {other}"


def rows(moment: Moment) -> dict[int, object]:
    return {batch.id: batch.rows for batch in moment.batches}


def brief(failure: Failure | None) -> object:
    return failure and (
        failure.phase,
        failure.kind,
        failure.condition,
        failure.state,
        failure.parameters,
        failure.message,
    )


def delivered(trace: Trace) -> dict[int, Batch]:
    """The batches by id; a replayed batch must be the same, since the sink may keep either."""
    seen: dict[int, Batch] = {}
    for moment in trace:
        for batch in moment.batches:
            if seen.setdefault(batch.id, batch) != batch:
                raise AssertionError(
                    f"batch {batch.id} was {seen[batch.id].rows}, but {batch.rows} when replayed"
                )
    return seen


def row_faults(trace: Trace, expected: tuple[int, ...]) -> list[str]:
    """The rows lost and the rows delivered too often, by row number alone."""
    lost = Counter(expected) - counted(trace)
    faults = [f"lost: {sorted(lost.elements())}"] if lost else []
    return faults + surplus(trace, expected)


def surplus(trace: Trace, expected: tuple[int, ...]) -> list[str]:
    extra = counted(trace) - Counter(expected)
    return [f"too many: {sorted(extra.elements())}"] if extra else []


def counted(trace: Trace) -> Counter[int]:
    """How often each row is in the target after all delivered batches are applied."""
    found: Counter[int] = Counter()
    for batch in delivered(trace).values():
        for row in batch.rows:
            found[row[0]] += (
                -1 if any(value in GONE for value in row if isinstance(value, str)) else 1
            )
    return found


GONE = frozenset({"delete", "update_preimage"})
"""The change types that remove a row."""
