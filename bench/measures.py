# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What scenarios measure: seconds, read from the result of a run."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

from bench.arrivals import percentile
from bench.run_result import RunResult


def whole(result: RunResult) -> float:
    return result.start + sum(batch.whole for batch in result.batches)


def first(result: RunResult) -> float:
    return result.start + result.batches[0].whole


def poll(result: RunResult) -> float:
    return median(result.polls)


def source(result: RunResult) -> float:
    return median(batch.source for batch in result.batches)


def added(result: RunResult) -> float:
    """Leave out the first batch of a run, which finds out what the table already has."""
    return median(result.added[1:])


def slowest(result: RunResult) -> float:
    return max(result.added[1:])


def fresh(percent: int) -> Callable[[RunResult], float]:
    """Return the measure of a percentile of all arrivals."""
    return lambda result: percentile(percent, [one.seconds for one in result.arrivals])


def read_before(result: RunResult) -> float:
    return result.reads[0]


def read_after(result: RunResult) -> float:
    return result.reads[1]
