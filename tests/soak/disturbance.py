# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What happens to a driver, its queries, its store and its writer, and when."""

import random
from collections.abc import Callable, Iterator
from enum import Enum


class Disturbance(Enum):
    """Each round has one."""

    NONE = "nothing"
    STOP_QUERY = "a query is stopped"
    INTERRUPT_QUERY = "the thread of a query is interrupted"
    FAULTS = "requests to the store fail"
    KILL_WRITER = "the writer is killed"
    KILL_DRIVER = "the driver is killed"


WEIGHTS = {
    Disturbance.NONE: 20,
    Disturbance.STOP_QUERY: 6,
    Disturbance.INTERRUPT_QUERY: 5,
    Disturbance.FAULTS: 12,
    Disturbance.KILL_WRITER: 1,
}
"""How often each is drawn. When the driver is killed depends on the time."""

DRIVER_LIFE = (20 / 60, 40 / 60)
"""The shortest and the longest time until the driver is killed, in hours."""


def disturbances(
    hours: float, draw: random.Random, clock: Callable[[], float]
) -> Iterator[Disturbance]:
    """Disturbances, one at a time, until the hours are over.

    A soak of less than two hours kills the driver sooner, so that it does so at all.
    """
    end = clock() + hours * 3600
    share = min(1.0, hours / 2)
    kill = clock() + draw.uniform(*DRIVER_LIFE) * share * 3600
    while (now := clock()) < end:
        if now >= kill:
            kill = now + draw.uniform(*DRIVER_LIFE) * share * 3600
            yield Disturbance.KILL_DRIVER
        else:
            (drawn,) = draw.choices(list(WEIGHTS), list(WEIGHTS.values()))
            yield drawn
