# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""One live run: what was run, how much was compared, and the unexplained differences."""

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from parity.batch import live as batch
from parity.batch.catalogue import SCRIPTS as BATCH
from parity.catalogue import EVERY, PARTS
from parity.generators import explore
from parity.harness import lines, live, stored_failures
from parity.harness.both_sides import OURS, STOCK, Cast, ScriptRunner, alone, in_turns
from parity.harness.compare import compare
from parity.harness.recorded import Recordings, StaleError, Tables, is_newest_line
from parity.harness.trace import Trace
from parity.planning import cost_comparison
from parity.planning.live_comparison import LiveComparison
from parity.planning.script import Plans
from parity.script import Script
from parity.sink import recorded
from parity.sink import run as sink
from parity.sink.catalogue import SCRIPTS as SINK
from parity.sink.compare import outcome_faults

T = TypeVar("T")
KINDS = ("scripts", "steps", "swaps", "traces compared", "batches compared", "rows counted")


class Session:
    """Each method runs one kind of scripts; the last line of `report` is the verdict."""

    def __init__(self, runner: ScriptRunner, console: Console) -> None:
        self._runner = runner
        self._console = console
        self._counts: dict[str, Counter[str]] = {}
        self._faults: list[str] = []
        self._seconds: dict[str, float] = {}

    def catalogue(self, parts: Sequence[str]) -> None:
        for part in parts:
            self._part(part)
        scripts = [script for part in parts for script in PARTS[part]]
        self._collect(
            "catalogue", live.doubles((script, self._stock(script)) for script in scripts)
        )

    def check(self, recordings: Recordings, parts: Sequence[str]) -> None:
        """Checks that the recordings equal stock's traces."""
        for part in parts:
            for script in PARTS[part]:
                try:
                    faults = compare(recordings.trace(part, script), self._stock(script))
                except StaleError as error:
                    faults = [str(error)]
                self._collect(f"the recording of {script.name}", faults)

    def record(self, recordings: Recordings) -> None:
        """Records everything again, since the traces depend on the tables."""
        scripts = [script for part in EVERY.values() for script in part]
        for script in self._each("recordings", scripts):
            self._stock(script)
        recordings.keep({part: [(one, self._stock(one)) for one in EVERY[part]] for part in EVERY})
        if is_newest_line():
            Tables(recordings.folder / "tables.zip").keep(
                {script.whole: self._runner.changes(script.whole) for script in scripts}
            )

    def _stock(self, script: Script) -> Trace:
        return self._runner.traces(script, alone(STOCK, script))[0]

    def recorded(self, kind: str, recordings: Recordings, parts: Sequence[str]) -> None:
        """Runs ours alone, against stock's recordings."""
        scripts = [(part, script) for part in parts for script in PARTS[part]]
        for part, script in self._each(kind, scripts):
            trace = self._trace(kind, script, alone(OURS, script), first=True)
            stock = recordings.trace(part, script)
            faults = live.trace_faults(script, stock, trace, swapped=False)
            self._collect(f"{script.name} ({kind})", faults)

    def sink(self, folder: Path) -> None:
        """Runs the sink's scripts on ours and alternating, and checks the recordings."""
        kind = "sink"
        for number, script in enumerate(self._each(kind, SINK)):
            casts = [alone(STOCK, script), alone(OURS, script)]
            casts += [in_turns(first, script) for first in (STOCK, OURS)]
            stock, *others = (
                sink.run(self._runner, script, cast, folder / f"sink-{number}-{at}")
                for at, cast in enumerate(casts)
            )
            for cast, other in zip(casts[1:], others, strict=True):
                swaps = live.swaps(cast)
                self._count(kind, scripts=cast == casts[1], steps=len(script.steps), swaps=swaps)
                faults = outcome_faults(script, stock, other)
                self._collect(f"{script.name} ({', '.join(cast)})", faults)
            faults = outcome_faults(script, recorded.outcome(script), stock)
            self._collect(f"the recording of {script.name}", faults)

    def record_sink(self, folder: Path) -> None:
        """Replaces all recordings of the sink's scripts."""
        recorded.keep(
            (one, sink.run(self._runner, one, alone(STOCK, one), folder / str(number)))
            for number, one in enumerate(self._each("recordings, sink", SINK))
        )

    def batch(self, folder: Path) -> None:
        """Batch writes and reads on both sides."""
        kind = "batch"
        found = batch.both(self._runner, BATCH, folder / kind)
        for script, faults in self._each(kind, found, len(BATCH)):
            self._count(kind, scripts=1, steps=len(script.steps))
            self._collect(f"{script.name} ({kind})", faults)

    def record_batch(self, folder: Path) -> None:
        """Replaces all recordings of batch scripts."""
        batch.record(self._runner, self._each("recordings, batch", BATCH), folder / "batch")

    def lines(self, recordings: Recordings) -> None:
        """Stops streams on one line of Spark and resumes them on another."""
        kind = "between lines"
        for script in self._each(kind, lines.SCRIPTS):
            stock = recordings.trace(lines.PART, script)
            for number, cast in enumerate(lines.moves(script)):
                trace = self._trace(kind, script, cast, first=number == 0)
                faults = live.trace_faults(script, stock, trace, swapped=True)
                self._collect(f"{script.name} ({', '.join(cast)})", faults)

    def found(self) -> None:
        """Runs the stored failures."""
        kept = stored_failures.kept()
        comparison = LiveComparison(self._runner.worker(STOCK), self._runner.worker(OURS))
        for name, script in self._each("stored failures", list(kept.items())):
            if isinstance(script, Plans):
                faults: Sequence[str] = comparison.run([script])[0].faults
            else:
                faults = live.every_way(self._runner, script)
            self._count("stored failures", scripts=1, steps=len(script.steps))
            self._collect(name, faults)

    def random(self, name: str, seed: int, count: int) -> None:
        """Runs `count` scripts of one kind, with seeds from `seed` on."""
        (self._plans if name in explore.PLANS else self._rows)(name, seed, count)

    def costs(self, folder: Path) -> None:
        self._console.print(cost_comparison.both(folder))

    def cut_short(self) -> None:
        """Notes that the run was interrupted; `report` still shows the comparisons so far."""
        self._collect("incomplete run", ["interrupted"])

    def report(self) -> int:
        table = Table("", *KINDS, "seconds")
        total: Counter[str] = Counter()
        for kind, counts in self._counts.items():
            seconds = self._seconds[kind]
            table.add_row(kind, *(f"{counts[one]:,}" for one in KINDS), f"{seconds:.0f}")
            total += counts
        table.add_section()
        seconds = sum(self._seconds.values())
        table.add_row("all", *(f"{total[one]:,}" for one in KINDS), f"{seconds:.0f}")
        self._console.print(table)
        for fault in self._faults:
            self._console.print(fault, markup=False)
        self._console.print(f"{len(self._faults)} unexplained differences")
        return 1 if self._faults else 0

    def _plans(self, name: str, seed: int, count: int) -> None:
        kind = f"{name} from {seed}"
        seeds = range(seed, seed + count)
        found = explore.plans(self._runner, seeds, explore.PLANS[name])
        for result, number in zip(self._each(kind, found, count), seeds, strict=True):
            self._count(
                kind,
                scripts=1,
                steps=len(result.script.steps),
                traces_compared=1,
                batches_compared=result.batches,
                rows_counted=2 * result.counted,
            )
            self._collect(f"{name} {number}", result.faults)

    def _rows(self, name: str, seed: int, count: int) -> None:
        kind = f"{name} from {seed}"
        seeds = range(seed, seed + count)
        found = explore.rows(self._runner, seeds, explore.ROWS[name])
        for result in self._each(kind, found, count):
            self._count(
                kind,
                scripts=1,
                steps=result.steps,
                swaps=result.swaps,
                traces_compared=1,
                batches_compared=result.batches,
                rows_counted=1,
            )
            self._collect(result.script.name, result.faults)

    def _part(self, part: str) -> None:
        kind = f"catalogue, {part}"
        for script in self._each(kind, PARTS[part]):
            casts = [alone(OURS, script)]
            if script.hands_over:
                casts += [in_turns(STOCK, script), in_turns(OURS, script)]
            self._runner.traces(script, alone(STOCK, script), *casts)
            for cast in casts:
                faults = live.catalogue_faults(self._runner, script, cast)
                self._trace(kind, script, cast, first=cast == casts[0])
                self._collect(f"{script.name} ({', '.join(cast)})", faults)

    def _trace(self, kind: str, script: Script, cast: Cast, *, first: bool) -> Trace:
        """Runs a cast of a script and counts what is compared; `first` if it is the first cast."""
        trace = self._runner.traces(script, cast)[0]
        self._count(
            kind,
            scripts=first,
            steps=len(script.steps),
            swaps=live.swaps(cast),
            traces_compared=1,
            batches_compared=live.batches(trace),
            rows_counted=1,
        )
        return trace

    def _each(self, kind: str, items: Iterable[T], count: int | None = None) -> Iterator[T]:
        total = len(items) if isinstance(items, Sequence) else count
        if not total:
            return
        start = time.monotonic()
        with Progress(console=self._console) as progress:
            task = progress.add_task(kind, total=total)
            for item in items:
                yield item
                progress.advance(task)
                self._seconds[kind] = time.monotonic() - start

    def _count(self, kind: str, **more: int) -> None:
        counts = self._counts.setdefault(kind, Counter())
        counts.update({name.replace("_", " "): number for name, number in more.items()})

    def _collect(self, name: str, faults: Sequence[str]) -> None:
        if faults:
            self._faults.append(f"{name}: {live.in_one_line(faults)}")
            self._console.print(self._faults[-1], markup=False)
