# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Whether a measure stays flat while a driver lives."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import combinations
from statistics import median

from soak.sample import Sample


class State(Enum):
    FLAT = "flat"
    GROWS = "GROWS"
    TOO_SHORT = "too short"


@dataclass(frozen=True, kw_only=True)
class Rule:
    """How much a measure may grow from the second quarter of a driver's life to the last one.

    A measure grows if two numbers are above the limit: the difference of the medians of these
    quarters, and the slope of the Theil-Sen line since the second quarter, over the same time. One
    that is high at the end for a moment is flat. The first quarter is for warming up.

    Attributes:
        name: The measure.
        unit: What is counted.
        share: The limit, as a share of the median of the second quarter.
        least: The limit is at least this.
    """

    name: str
    unit: str
    share: float
    least: float

    def judge(self, life: int, points: Sequence[tuple[float, float]]) -> "Verdict":
        """Judge the values of one life by their hours, in order."""
        count = len(points)
        second, last = points[count // 4 : count // 2], points[count - count // 4 :]
        if count < LEAST_SAMPLES or points[-1][0] - points[0][0] < LEAST_HOURS:
            return Verdict(rule=self, life=life, samples=count, state=State.TOO_SHORT)
        before, after = (median(value for _, value in part) for part in (second, last))
        slope = _theil_sen(points[count // 4 :])
        hours = median(at for at, _ in last) - median(at for at, _ in second)
        limit = max(self.share * before, self.least)
        grows = after - before > limit and slope * hours > limit
        return Verdict(
            rule=self,
            life=life,
            samples=count,
            state=State.GROWS if grows else State.FLAT,
            before=before,
            after=after,
            slope=slope,
        )


LEAST_SAMPLES = 20
LEAST_HOURS = 0.1
"""A driver that lived for less than six minutes is still warming up."""

RULES = (
    Rule(name="heap", unit="MB after a garbage collection", share=0.1, least=20),
    Rule(name="threads", unit="live threads", share=0.1, least=5),
    Rule(name="handles", unit="open file handles", share=0.1, least=20),
    Rule(name="resident", unit="MB of resident memory", share=0.1, least=50),
    Rule(name="requests", unit="requests per batch, without HEAD 404", share=0.25, least=2),
)


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What a rule says of one life.

    Attributes:
        before: The median of the second quarter; 0 if the life is too short.
        after: The median of the last quarter.
        slope: Of the Theil-Sen line, per hour.
    """

    rule: Rule
    life: int
    samples: int
    state: State
    before: float = 0.0
    after: float = 0.0
    slope: float = 0.0

    @property
    def percent_per_hour(self) -> float:
        return 100 * self.slope / self.before if self.before else 0.0


def verdicts(samples: Sequence[Sample]) -> Iterator[Verdict]:
    """Judge each measure of each life."""
    for life in sorted({sample.life for sample in samples}):
        lived = [sample for sample in samples if sample.life == life]
        for rule in RULES:
            points = [(one.hours, one.uses[rule.name]) for one in lived if rule.name in one.uses]
            yield rule.judge(life, points)


def _theil_sen(points: Sequence[tuple[float, float]]) -> float:
    """The median slope of all pairs of points."""
    return median(
        (value - first) / (at - began) for (began, first), (at, value) in combinations(points, 2)
    )
