# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs a script: each leg on its worker, with one table and one checkpoint."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from parity.harness import trace
from parity.harness.java_hash import java_hash
from parity.harness.tables import Change, place
from parity.harness.trace import Moment, Trace
from parity.harness.worker_process import WorkerProcess
from parity.log_edits import sidecar
from parity.script import (
    Amend,
    Batches,
    Drain,
    Forge,
    Occupy,
    Place,
    Script,
    Start,
    Step,
    Stop,
    Uncommit,
    Write,
)


def run(
    script: Script, workers: Sequence[WorkerProcess], changes: Sequence[Change], folder: Path
) -> Trace:
    """`workers` has one for each leg, `changes` the files of the script's whole history."""
    if len(workers) != script.legs:
        raise ValueError(f"{script.name} has {script.legs} legs and {len(workers)} workers")
    script_run = ScriptRun(script, workers, changes, folder)
    try:
        return tuple(script_run.step(number, step) for number, step in enumerate(script.steps, 1))
    finally:
        script_run.end()


class ScriptRun:
    def __init__(
        self,
        script: Script,
        workers: Sequence[WorkerProcess],
        changes: Sequence[Change],
        folder: Path,
    ) -> None:
        self._script = script
        self._workers = iter(workers)
        self._worker: WorkerProcess | None = None
        self._changes = iter(changes)
        self._starts: dict[Path, bytes] = {}
        self._table = folder / "table"
        self._checkpoint = folder / "checkpoint"
        self._replace = {
            str(java_hash(f"file:{self._checkpoint}/sources/0")): "<hash>",
            str(self._table): "<table>",
            str(self._table).replace("/", "_"): "<table as a name>",
            str(self._checkpoint): "<checkpoint>",
        }
        self._table.mkdir(parents=True)
        self._go_on(len(script.history))

    def step(self, number: int, step: Step) -> Moment:
        answer = self._act(step)
        state, batches, failure = trace.settled(answer, self._replace)
        offsets, commits = trace.offsets(self._checkpoint), trace.commits(self._checkpoint)
        name = f"{number}. {type(step).__name__}"
        schemas = trace.schemas(self._checkpoint, self._replace)
        return Moment(name, state, batches, offsets, commits, failure, schemas)

    def end(self) -> None:
        if self._worker is not None:
            self._leave()

    def _act(self, step: Step) -> Mapping[str, Any]:
        match step:
            case Start():
                return self._start(step)
            case Batches(count):
                return self._call("settle", count=count)
            case Drain():
                return self._call("settle", count=None)
            case Write(ops):
                return self._write(len(ops))
            case Stop():
                return self._stop(step)
            case Uncommit():
                for number in trace.commits(self._checkpoint)[-1:]:
                    self._drop("commits", number)
                    self._restore_starts(number)
            case Forge():
                self._forge(step)
            case Amend():
                self._amend(step)
            case Occupy():
                self._occupy()
        return NOTHING

    def _start(self, step: Start) -> Mapping[str, Any]:
        assert self._worker is None, "Start needs a Stop before it"
        self._worker = next(self._workers)
        self._worker.lock.acquire()
        return self._call(
            "start",
            table=str(self._table),
            checkpoint=str(self._checkpoint),
            options=self._options(step),
            confs=self.confs(step),
            trigger=step.trigger.value,
            again=step.again,
            twice=step.twice,
        )

    def _options(self, step: Start) -> dict[str, str]:
        merged = {**self._script.options, **step.options}
        return {
            key: value.replace("<checkpoint>", str(self._checkpoint))
            for key, value in merged.items()
        }

    def confs(self, step: Start) -> dict[str, str]:
        hashed = next(old for old, new in self._replace.items() if new == "<hash>")
        return {key.replace("<hash>", hashed): value for key, value in step.confs.items()}

    def _write(self, count: int) -> Mapping[str, Any]:
        if self._worker is None:
            self._go_on(count)
            return NOTHING
        batches: list[Any] = []
        answer: Mapping[str, Any] = NOTHING
        for _ in range(count):
            self._go_on(1)
            answer = self._call("settle", count=0)
            batches += answer["batches"]
        return {**answer, "batches": batches}

    def _stop(self, step: Stop) -> Mapping[str, Any]:
        answer = self._leave()
        done = trace.commits(self._checkpoint)
        offsets = dict(trace.offsets(self._checkpoint))
        if step.at is not None:
            check_place(step.at, offsets[max(done)])
        if step.forget:
            for number in offsets.keys() - set(done):
                self._drop("offsets", number)
        return answer

    def _leave(self) -> Mapping[str, Any]:
        worker, self._worker = self._worker, None
        assert worker is not None
        try:
            return dict(worker.call("stop"))
        finally:
            worker.lock.release()

    def _call(self, name: str, **arguments: Any) -> Mapping[str, Any]:
        assert self._worker is not None, f"{name} needs a Start before it"
        self._starts |= {file: file.read_bytes() for file in self._checkpoint.glob(STARTS)}
        return dict(self._worker.call(name, **arguments))

    def _go_on(self, count: int) -> None:
        for _ in range(count):
            next(self._changes).apply(self._table)

    def _restore_starts(self, batch: int) -> None:
        """Restores the start files: a run that dies before its first commit still has them."""
        for file, content in self._starts.items():
            if batch == 0 and not file.exists():
                file.write_bytes(content)

    def _drop(self, kind: str, number: int) -> None:
        file = self._checkpoint / kind / str(number)
        for gone in (file, sidecar(file)):
            gone.unlink(missing_ok=True)

    def _forge(self, step: Forge) -> None:
        file = self._checkpoint / "offsets" / str(max(dict(trace.offsets(self._checkpoint))))
        version, engine, line = file.read_text().split("\n", 2)
        forged = line.replace(step.old, step.new) if step.old else step.new
        file.write_text("\n".join((version, engine, forged)))
        sidecar(file).unlink(missing_ok=True)

    def _newest_schema(self) -> Path:
        folder = next(self._checkpoint.glob("**/_schema_log_*"))
        return trace.numbered(folder)[-1]

    def _occupy(self) -> None:
        file = self._newest_schema()
        place(file, file.with_name(str(int(file.name) + 1)))

    def _amend(self, step: Amend) -> None:
        file = self._newest_schema()
        entry = file.read_text()
        if step.old not in entry:
            raise ValueError(f"{step.old} is not in {entry}")
        file.write_text(entry.replace(step.old, step.new))
        sidecar(file).unlink(missing_ok=True)


STARTS = "sources/*/start"
"""Where ours stores a stream's start until its first batch is committed."""

NOTHING: Mapping[str, Any] = {"state": "stopped", "batches": (), "failure": None}


def check_place(place: Place, line: str) -> None:
    """Fails a script that is about one place if it stops at another."""
    if trace.place(line) is not place:
        raise ValueError(
            f"stopped {trace.place(line).value} ({line}), the script is about {place.value}"
        )
