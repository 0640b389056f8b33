# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The report of a soak: one page, its picture, and all numbers as JSON."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from soak.disturbance import Disturbance
from soak.flatness import State, Verdict
from soak.picture import draw
from soak.result import Result
from soak.sample import Sample

PAGE, NUMBERS, PICTURE = "report.md", "result.json", "uses.svg"


def write(result: Result, folder: Path) -> None:
    """Write the report into a folder."""
    (folder / PAGE).write_text(page(result), encoding="utf-8")
    result.save(folder / NUMBERS)
    draw(result.samples, folder / PICTURE)


def page(result: Result) -> str:
    """The report as Markdown."""
    return "\n".join(_lines(result)) + "\n"


def _lines(result: Result) -> Iterator[str]:
    wrong = result.wrong
    machine = ", ".join(f"{name} {value}" for name, value in result.machine.items())
    yield "# Soak"
    yield ""
    yield (
        f"{len(result.rows)} streams in one driver for {result.hours:.2f} hours, seed {result.seed}"
        f" ({machine}). **{'Nothing was wrong.' if not wrong else f'{len(wrong)} findings.'}**"
    )
    yield ""
    yield from (f"- {text}" for text in wrong)
    yield from ("" for _ in wrong[:1])
    yield f"![What the driver used]({PICTURE})"
    yield from _section("Is it flat?", _verdicts(result.verdicts))
    yield ""
    yield (
        "The medians are those of the second and the last quarter of a driver's life; the slope is "
        "that of the Theil-Sen line since the second quarter. `soak/flatness.py` has the rule."
    )
    yield from _section("Streams", _streams(result))
    yield from _section("Operations", _counts("operation", result.operations))
    rounds = {one.value: result.rounds.get(one.value, 0) for one in Disturbance}
    yield from _section("Rounds by what happened", _counts("what happened", rounds))
    yield from _section("Requests of the streams", _requests(result.samples))
    yield from _section("Failed requests", _counts("fault", result.faults))
    yield from _section("Ends of queries, all of which were restarted", _counts("end", result.ends))


def _section(title: str, lines: Iterator[str]) -> Iterator[str]:
    yield from ("", f"## {title}", "", *lines)


def _verdicts(verdicts: Sequence[Verdict]) -> Iterator[str]:
    yield from _head("measure", "driver", "samples", "before", "after", "% per hour", "verdict")
    for one in verdicts:
        short = one.state is State.TOO_SHORT
        numbers = (f"{one.before:,.1f}", f"{one.after:,.1f}", f"{one.percent_per_hour:+.1f}")
        cells = ("-", "-", "-") if short else numbers
        yield _row(one.rule.unit, one.life + 1, one.samples, *cells, one.state.value)


def _streams(result: Result) -> Iterator[str]:
    yield from _head("stream", "batches", "rows", "largest backlog, commits")
    for name, rows in result.rows.items():
        backlog = max((sample.backlog.get(name, 0) for sample in result.samples), default=0)
        yield _row(name, f"{result.batches.get(name, -1) + 1:,}", f"{rows:,}", backlog)


def _requests(samples: Sequence[Sample]) -> Iterator[str]:
    yield from _head("kind", "per minute")
    minutes = sum(sample.minutes for sample in samples)
    counts: Counter[str] = sum((Counter(sample.requests) for sample in samples), Counter())
    for kind, count in counts.most_common():
        yield _row(kind, f"{count / minutes:,.1f}")


def _counts(what: str, counts: Mapping[str, int]) -> Iterator[str]:
    yield from _head(what, "times")
    for name, count in Counter(counts).most_common():
        yield _row(name, f"{count:,}")


def _head(*titles: str) -> tuple[str, str]:
    return _row(*titles), _row(*("---" for _ in titles))


def _row(*cells: object) -> str:
    return f"| {' | '.join(map(str, cells))} |"
