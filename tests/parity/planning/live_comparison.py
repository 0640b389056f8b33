# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs planning scripts on both sides at once and compares them."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from parity.harness import codec
from parity.harness.worker_process import WorkerProcess
from parity.planning import compare
from parity.planning.compare import Answers
from parity.planning.differences import ALLOWED
from parity.planning.script import Mode, Plans


@dataclass(frozen=True)
class Result:
    script: Plans
    faults: tuple[str, ...]
    batches: int
    counted: bool
    """Whether the rows were counted."""


class LiveComparison:
    def __init__(self, stock: WorkerProcess, ours: WorkerProcess) -> None:
        self._stock = stock
        self._ours = ours
        self._pool = ThreadPoolExecutor(2)

    def run(self, scripts: Sequence[Plans]) -> list[Result]:
        futures = [
            self._pool.submit(answers, worker, scripts) for worker in (self._stock, self._ours)
        ]
        both = [answer.result() for answer in futures]
        return [self._compare(*found) for found in zip(scripts, *both, strict=True)]

    def fails(self, script: Plans) -> bool:
        return bool(self.run([script])[0].faults)

    def _compare(self, script: Plans, stock: Answers, ours: Answers) -> Result:
        differing = list(compare.differing(stock, ours))
        known = bool(differing) and (
            any(allowed(script, stock, ours) for allowed in ALLOWED)
            or self._early(script, stock, ours)
        )
        faults = [] if known else differing
        faults += [f"stock {fault}" for fault in compare.row_faults(script, stock)]
        faults += [f"ours {fault}" for fault in compare.row_faults(script, ours, remembers=True)]
        return Result(
            script=script,
            faults=tuple(faults),
            batches=len(compare.all_batches(ours)),
            counted=compare.due(script) is not None,
        )

    def _early(self, script: Plans, stock: Answers, ours: Answers) -> bool:
        """Whether ours, run further, fails as stock did early."""
        number = compare.early_failure_step(stock, ours)
        if number is None:
            return False
        further = answers(self._ours, [compare.cut(script, number)])[0]
        once = script.mode_at(number) is Mode.ONCE
        return compare.good_first(stock[: number + 1], further, once=once)


def answers(worker: WorkerProcess, scripts: Sequence[Plans]) -> list[Answers]:
    with worker.lock:
        return list(worker.call("plans", scripts=[codec.plain(script) for script in scripts]))
