# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a soak: rounds of writes, each with a disturbance and a measurement."""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial

from bench.machine import machine

from soak.disturbance import Disturbance
from soak.ledger import Ledger
from soak.ledger_writer import LedgerWriter
from soak.measurements import Measurements
from soak.operation import Optimize, Vacuum
from soak.place import Place
from soak.processes import start_driver, start_writer
from soak.result import Result, wrong_rows
from soak.store_faults import StoreFaults
from soak.stream import Sink, SoakStream
from soak.streams_driver import StreamsDriver
from soak.workload import append, draw_operation

FIRST_APPENDS = 2
"""Appends to each table before the streams start."""

MAINTENANCE = 0.2
"""The share of rounds in which the writer compacts or cleans up a target."""


class Soak:
    """The processes of a soak, and what has happened so far."""

    def __init__(
        self,
        place: Place,
        streams: Sequence[SoakStream],
        *,
        seed: int,
        confs: Mapping[str, str],
        log: Callable[[str], None],
    ) -> None:
        self._streams = streams
        self._tables = tuple(dict.fromkeys(stream.source for stream in streams))
        self._seed = seed
        self._draw = random.Random(seed)
        self._log = log
        self._ledger = Ledger(place.folder / "ledger.jsonl")
        self._processes = ExitStack()
        self._writer = LedgerWriter(partial(start_writer, place), place, self._ledger)
        self._processes.callback(self._writer.close)
        self._driver = StreamsDriver(partial(start_driver, place, streams, confs), streams)
        self._processes.callback(self._driver.close)
        self._faults = StoreFaults(place.store, self._draw)
        self._measurements = Measurements(self._driver, place.store.direct, streams)
        self._rounds: Counter[Disturbance] = Counter()

    def run(self, rounds: Iterable[Disturbance]) -> Result:
        """Run the rounds, let all streams read everything, and compare their targets."""
        with self._processes:
            self._prepare()
            for disturbance in rounds:
                self._round(disturbance)
            self._log("all streams read to the end")
            self._driver.settle(denied=self._faults.denied)
            self._measurements.measure()
            wrong = [text for stream in self._streams for text in self._wrong_rows(stream)]
        return self._result(wrong)

    def _prepare(self) -> None:
        self._writer.ready()
        for table in self._tables:
            self._writer.create(table)
            for _ in range(FIRST_APPENDS):
                operation = append(self._draw, table, self._writer.states[table.key])
                self._writer.write(table, operation, before_streams=True)
        self._driver.ready()
        # A stream that starts at the latest version has to have started before the next write.
        self._driver.settle(denied=self._faults.denied)
        self._measurements.start()

    def _round(self, disturbance: Disturbance) -> None:
        """One operation for each table, and one measurement."""
        self._rounds[disturbance] += 1
        number = self._rounds.total()
        disturbed = self._draw.choice(self._tables)
        if disturbance is Disturbance.FAULTS:
            # They last until the end of the round.
            disturbed = self._tables[0]
        for table in self._tables:
            state = self._writer.states[table.key]
            operation = draw_operation(self._draw, table, state, number)
            meanwhile = partial(self._disturb, disturbance) if table == disturbed else None
            self._writer.write(table, operation, meanwhile)
            self._driver.tend(denied=self._faults.denied)
        if self._draw.random() < MAINTENANCE:
            self._maintain_a_target()
        self._faults.lift()
        self._measurements.measure()
        findings = len(self._writer.findings) + len(self._driver.findings)
        self._log(f"round {number}: {disturbance.value}, {findings} findings so far")

    def _disturb(self, disturbance: Disturbance) -> None:
        """Do it at a random moment of the operation that is running."""
        time.sleep(self._draw.uniform(0, 0.5))
        match disturbance:
            case Disturbance.NONE:
                pass
            case Disturbance.STOP_QUERY:
                self._driver.stop(self._draw.choice(self._streams).name)
            case Disturbance.INTERRUPT_QUERY:
                self._driver.interrupt(self._draw.choice(self._streams).name)
            case Disturbance.FAULTS:
                self._faults.inject()
            case Disturbance.KILL_WRITER:
                self._writer.kill()
            case Disturbance.KILL_DRIVER:
                self._driver.kill()

    def _maintain_a_target(self) -> None:
        """Compact or clean up a target while its stream writes.

        Only on S3: two processes may not write to one table of a local file system.
        """
        on_s3 = [one for one in self._streams if one.source.on_s3 and one.sink is Sink.DELTA]
        if on_s3:
            operation = self._draw.choice((Optimize(), Vacuum()))
            self._writer.maintain(self._draw.choice(on_s3), operation)

    def _wrong_rows(self, stream: SoakStream) -> Iterable[str]:
        found = self._driver.rows(stream.name)
        return wrong_rows(stream.name, self._ledger.expected(stream), found)

    def _result(self, wrong: Sequence[str]) -> Result:
        operations = Counter(type(one.operation).__name__ for one in self._ledger.committed())
        samples = self._measurements.samples
        return Result(
            seed=self._seed,
            hours=samples[-1].hours if samples else 0.0,
            machine=machine(),
            rounds={one.value: count for one, count in self._rounds.items()},
            batches=self._driver.batches,
            rows={one.name: self._ledger.expected(one).total() for one in self._streams},
            operations=dict(operations),
            faults={kind.value: count for kind, count in self._faults.injected.items()},
            ends=dict(self._driver.ends),
            findings=[*self._writer.findings, *self._driver.findings, *wrong],
            samples=samples,
        )
