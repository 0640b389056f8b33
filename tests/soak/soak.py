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

from object_stores.fault import Fault, FaultKind
from soak.disturbance import Disturbance
from soak.ledger import Ledger
from soak.ledger_writer import LedgerWriter
from soak.operation import Optimize, Vacuum
from soak.place import Place
from soak.processes import start_driver, start_writer
from soak.result import Result, wrong_rows
from soak.sample import Sample
from soak.stream import Sink, SoakStream
from soak.streams_driver import StreamsDriver
from soak.workload import append, draw_operation

FIRST_APPENDS = 3
"""Appends to each table before the streams start."""


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
        self._store = place.store
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
        self._rounds: Counter[Disturbance] = Counter()
        self._faults: Counter[FaultKind] = Counter()
        self._samples: list[Sample] = []
        self._injected: Sequence[Fault] = ()
        self._denied = False
        self._batches = 0
        self._began = self._measured = time.monotonic()

    def run(self, rounds: Iterable[Disturbance]) -> Result:
        """Run the rounds, let all streams read everything, and compare their targets."""
        with self._processes:
            self._prepare()
            for disturbance in rounds:
                self._round(disturbance)
            self._log("all streams read to the end")
            self._driver.settle()
            self._measure()
            wrong = self._wrong_rows()
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
        self._driver.settle()
        self._store.direct.take_recorded()
        self._began = self._measured = time.monotonic()

    def _round(self, disturbance: Disturbance) -> None:
        """One operation for each table, and one measurement."""
        self._rounds[disturbance] += 1
        number = self._rounds.total()
        denied_before = self._denied
        self._denied = False
        moment = self._draw.randrange(len(self._tables))
        for place, table in enumerate(self._tables):
            state = self._writer.states[table.key]
            operation = draw_operation(self._draw, table, state, number)
            meanwhile = partial(self._disturb, disturbance) if place == moment else None
            self._writer.write(table, operation, meanwhile)
            # An error is reported some time after the request that failed.
            self._driver.tend(denied=self._denied or denied_before)
        if self._draw.random() < 0.2:
            self._maintain_a_target()
        self._lift_faults()
        self._measure()
        findings = len(self._writer.findings) + len(self._driver.findings)
        self._log(f"round {number}: {disturbance.value}, {findings} findings so far")

    def _disturb(self, disturbance: Disturbance) -> None:
        """Do it at a random moment of the operation that is running."""
        time.sleep(self._draw.uniform(0, 0.5))
        stream = self._draw.choice(self._streams).name
        match disturbance:
            case Disturbance.NONE:
                pass
            case Disturbance.STOP_QUERY:
                self._driver.stop(stream)
            case Disturbance.INTERRUPT_QUERY:
                self._driver.interrupt(stream)
            case Disturbance.FAULTS:
                self._injected = [Fault.drawn(self._draw) for _ in range(self._draw.randint(1, 2))]
                self._denied = not all(fault.kind.is_transient for fault in self._injected)
                self._store.inject(self._injected)
            case Disturbance.KILL_WRITER:
                self._writer.kill()
            case Disturbance.KILL_DRIVER:
                self._driver.kill()
                self._batches = 0

    def _maintain_a_target(self) -> None:
        """Compact or clean up a target while its stream writes.

        Only on S3: two processes may not write to one table of a local file system.
        """
        on_s3 = [one for one in self._streams if one.source.on_s3 and one.sink is Sink.DELTA]
        if on_s3:
            stream = self._draw.choice(on_s3)
            self._writer.maintain(stream, self._draw.choice((Optimize(), Vacuum())))

    def _lift_faults(self) -> None:
        counts = self._store.injected()
        for fault, count in zip(self._injected, counts, strict=True):
            self._faults[fault.kind] += count
        self._store.inject(())
        self._injected = ()

    def _measure(self) -> None:
        found = self._driver.measure()
        requests = self._store.direct.take_recorded()
        now = time.monotonic()
        if not found:
            return
        uses: dict[str, float] = found["uses"]
        batches = sum(
            found["batches"].get(one.name, 0) for one in self._streams if one.source.on_s3
        )
        if 0 < self._batches < batches:
            uses["requests"] = len(requests) / (batches - self._batches)
        self._batches = batches
        self._samples.append(
            Sample(
                hours=(now - self._began) / 3600,
                minutes=(now - self._measured) / 60,
                life=self._driver.life,
                uses=uses,
                requests=Counter(request.kind.value for request in requests),
                backlog=found["backlog"],
            )
        )
        self._measured = now

    def _wrong_rows(self) -> list[str]:
        return [
            text
            for stream in self._streams
            for text in wrong_rows(
                stream.name, self._ledger.expected(stream), self._driver.rows(stream.name)
            )
        ]

    def _result(self, wrong: Sequence[str]) -> Result:
        operations = Counter(type(one.operation).__name__ for one in self._ledger.committed())
        return Result(
            seed=self._seed,
            hours=self._samples[-1].hours if self._samples else 0.0,
            machine=machine(),
            rounds={one.value: count for one, count in self._rounds.items()},
            batches=self._driver.batches,
            rows={one.name: self._ledger.expected(one).total() for one in self._streams},
            operations=operations,
            faults={kind.value: count for kind, count in self._faults.items()},
            ends=self._driver.ends,
            findings=[*self._writer.findings, *self._driver.findings, *wrong],
            samples=self._samples,
        )
