# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Which series of measurements count as flat."""

import random
from collections.abc import Callable

import pytest

from soak.flatness import LEAST_SAMPLES, RULES, Rule, State, verdicts
from soak.sample import Sample

RULE = Rule(name="heap", unit="MB", share=0.1, least=20)
NOISE = random.Random(1)


CASES: dict[str, tuple[Callable[[float], float], State]] = {
    "constant": (lambda _: 300, State.FLAT),
    "warms up": (lambda hours: 300 + 300 * min(hours, 0.25), State.FLAT),
    "noisy": (lambda _: 300 + NOISE.uniform(-100, 100), State.FLAT),
    "high at the end": (lambda hours: 300 if hours < 0.9 else 900, State.FLAT),
    "within the limit": (lambda hours: 300 + 10 * hours, State.FLAT),
    "shrinks": (lambda hours: 300 - 200 * hours, State.FLAT),
    "leaks": (lambda hours: 300 + 100 * hours, State.GROWS),
    "leaks, noisy": (lambda hours: 300 + 100 * hours + NOISE.uniform(-30, 30), State.GROWS),
    "a step that stays": (lambda hours: 300 if hours < 0.6 else 400, State.GROWS),
}


@pytest.mark.parametrize("case", CASES)
def test_only_growth_that_lasts_is_reported(case: str) -> None:
    """A measure grows if both its medians and its slope do."""
    value, state = CASES[case]
    points = [(number / 100, value(number / 100)) for number in range(100)]
    assert RULE.judge(0, points).state is state


def test_a_small_measure_may_grow_by_the_least_limit() -> None:
    """Ten percent of 30 threads would be three."""
    points = [(number / 100, 30 + 0.1 * number) for number in range(100)]
    assert RULE.judge(0, points).state is State.FLAT


def test_a_verdict_has_the_slope_per_hour() -> None:
    """In percent of the median of the second quarter."""
    verdict = RULE.judge(0, [(number / 100, 300 + number) for number in range(100)])
    assert (verdict.before, verdict.after) == (337, 387)
    assert verdict.percent_per_hour == pytest.approx(100 * 100 / 337)


@pytest.mark.parametrize("points", [[], [(n / 10, 1.0) for n in range(LEAST_SAMPLES - 1)]])
def test_a_driver_that_lived_shortly_is_not_judged(points: list[tuple[float, float]]) -> None:
    """It is reported as too short, not as flat."""
    assert RULE.judge(0, points).state is State.TOO_SHORT


def test_each_life_is_judged_by_itself() -> None:
    """A driver starts with a small heap again; a measure may be missing in some samples."""
    samples = [
        Sample(
            hours=number / 50,
            minutes=1,
            life=number // 50,
            uses={rule.name: 100 + number for rule in RULES if rule.name != "requests"},
            requests={},
            backlog={},
        )
        for number in range(100)
    ]
    found = {(one.rule.name, one.life): one for one in verdicts(samples)}
    assert len(found) == 2 * len(RULES)
    assert found["heap", 1].before == 168
    assert found["requests", 0].state is State.TOO_SHORT
