# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What happens if a process of a soak ends, or fails; without Spark."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from object_stores.fault import Fault
from object_stores.fault_store import FaultyStore
from object_stores.store import ObjectStore
from soak.ledger import Ledger
from soak.ledger_writer import LedgerWriter
from soak.operation import Append
from soak.place import Place
from soak.store_faults import StoreFaults
from soak.stream import STREAMS
from soak.streams_driver import StreamsDriver
from soak.table import PLAIN
from support.json_process import JsonProcess, ProcessError

APPEND = Append(first=0, count=2, files=1)


@dataclass(frozen=True)
class FakeStore(FaultyStore):
    """Counts one request for each fault."""

    faults: list[Fault] = field(default_factory=list[Fault])

    def inject(self, faults: Sequence[Fault]) -> None:
        self.faults[:] = faults

    def injected(self) -> list[int]:
        return [1 for _ in self.faults]


def fake_store() -> FakeStore:
    return FakeStore(ObjectStore("http://direct"), ObjectStore("http://proxied"))


class FakeProcess(JsonProcess):
    """Answers calls by their names; an exception is raised."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self.answers = answers

    def ready(self) -> None: ...

    def send(self, name: str, /, **arguments: Any) -> None: ...

    def answer(self, name: str) -> Any:
        found = self.answers.get(name)
        if isinstance(found, Exception):
            raise found
        return found

    def kill(self) -> None:
        self.answers = dict.fromkeys(self.answers, ProcessError("killed"))

    def close(self) -> None: ...


def starts(*processes: dict[str, Any]) -> Callable[[], JsonProcess]:
    """Each start gives the next process."""
    left = iter(processes)
    return lambda: FakeProcess(next(left))


@pytest.mark.parametrize("committed", [True, False])
def test_what_a_killed_writer_has_committed_is_found_in_the_log(
    tmp_path: Path, *, committed: bool
) -> None:
    """That it was killed is no finding."""
    ledger = Ledger(tmp_path / "ledger.jsonl")
    place = Place(tmp_path, fake_store())
    writer = LedgerWriter(starts({"run": None}, {"committed": committed}), place, ledger)
    writer.write(PLAIN, APPEND, writer.kill)
    assert [entry.operation for entry in ledger.committed()] == [APPEND] * committed
    assert writer.states[PLAIN.key].next_id == 2 * committed
    assert writer.findings == []


def test_a_statement_that_fails_is_a_finding(tmp_path: Path) -> None:
    """The next process says whether it was committed all the same."""
    ledger = Ledger(tmp_path / "ledger.jsonl")
    failing = {"run": ProcessError("DELTA_CONCURRENT_APPEND")}
    start = starts(failing, {"committed": True})
    writer = LedgerWriter(start, Place(tmp_path, fake_store()), ledger)
    writer.write(PLAIN, APPEND)
    assert [entry.operation for entry in ledger.committed()] == [APPEND]
    (finding,) = writer.findings
    assert "INSERT INTO" in finding
    assert finding.endswith("failed: DELTA_CONCURRENT_APPEND")


def test_a_driver_that_dies_is_a_finding_and_is_started_again() -> None:
    """The soak goes on with the next driver."""
    dying = {"tend": ProcessError("driver exited during tend")}
    driver = StreamsDriver(starts(dying, {"measure": {"batches": {"append": 7}}}), STREAMS)
    driver.tend(denied=False)
    driver.measure()
    assert driver.findings == ["driver exited during tend"]
    assert driver.life == 1
    assert driver.batches == {"append": 7}


def test_a_query_that_ends_without_a_reason_is_a_finding() -> None:
    """One that the soak has stopped is only counted."""
    ends = [
        {"stream": "append", "error": "[DELTASOURCE_OTHER_RUN] x", "disturbed": False},
        {"stream": "append", "error": None, "disturbed": True},
    ]
    driver = StreamsDriver(starts({"ends": ends}), STREAMS)
    driver.tend(denied=False)
    assert driver.findings == ["append ended: [DELTASOURCE_OTHER_RUN] x"]
    assert driver.ends == {"DELTASOURCE_OTHER_RUN": 1, "stopped or interrupted": 1}


def test_faults_that_retries_cannot_overcome_are_excused_for_one_more_round() -> None:
    """A query may report its error when they are lifted already."""
    draw = random.Random(1)
    for _ in range(50):
        faults = StoreFaults(fake_store(), draw)
        assert not faults.denied
        faults.inject()
        during = faults.denied
        faults.lift()
        assert faults.denied is during
        persistent = any(not kind.is_transient for kind in faults.injected)
        assert during is persistent
        faults.lift()
        assert not faults.denied
