# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Planning scripts on both sides at once, and what is wrong with each."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from parity import codec
from parity.planning import judge
from parity.planning.differences import ALLOWED
from parity.planning.judge import Answers
from parity.planning.script import Mode, Plans
from parity.side import Side


@dataclass(frozen=True)
class Result:
    script: Plans
    faults: tuple[str, ...]
    batches: int
    counted: bool
    """Whether the rows were counted too."""


class Trial:
    def __init__(self, stock: Side, ours: Side) -> None:
        self._stock = stock
        self._ours = ours
        self._pool = ThreadPoolExecutor(2)

    def run(self, scripts: Sequence[Plans]) -> list[Result]:
        asked = [self._pool.submit(answers, side, scripts) for side in (self._stock, self._ours)]
        both = [answer.result() for answer in asked]
        return [self._judge(*found) for found in zip(scripts, *both, strict=True)]

    def fails(self, script: Plans) -> bool:
        return bool(self.run([script])[0].faults)

    def _judge(self, script: Plans, stock: Answers, ours: Answers) -> Result:
        differing = list(judge.differing(stock, ours))
        known = bool(differing) and (
            any(allowed(script, stock, ours) for allowed in ALLOWED)
            or self._early(script, stock, ours)
        )
        faults = [] if known else differing
        faults += [f"stock {fault}" for fault in judge.amiss(script, stock)]
        faults += [f"ours {fault}" for fault in judge.amiss(script, ours, remembers=True)]
        return Result(
            script=script,
            faults=tuple(faults),
            batches=len(judge.all_batches(ours)),
            counted=judge.due(script) is not None,
        )

    def _early(self, script: Plans, stock: Answers, ours: Answers) -> bool:
        """Asks ours alone to go on to the error that stock had at its first sight."""
        number = judge.parted(stock, ours)
        if number is None:
            return False
        further = answers(self._ours, [judge.cut(script, number)])[0]
        once = script.mode_at(number) is Mode.ONCE
        return judge.good_first(stock[: number + 1], further, once=once)


def answers(side: Side, scripts: Sequence[Plans]) -> list[Answers]:
    with side.lock:
        return list(side.call("plans", scripts=[codec.plain(script) for script in scripts]))
