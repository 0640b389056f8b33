# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The result of a soak, which its report shows."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from soak.flatness import State, Verdict, verdicts
from soak.sample import Sample


@dataclass(frozen=True, kw_only=True)
class Result:
    """What ran, what was measured, and what was wrong.

    Attributes:
        seed: Of the operations and disturbances.
        hours: How long it ran.
        machine: Cores, memory and versions.
        rounds: Rounds by their disturbance.
        batches: The number of batches of each stream.
        rows: The rows that each stream had to deliver.
        operations: Committed operations by kind.
        faults: Failed requests by the kind of fault.
        ends: How often queries ended, by condition.
        findings: What was wrong, without the verdicts.
        samples: All measurements.
    """

    seed: int
    hours: float
    machine: Mapping[str, object]
    rounds: Mapping[str, int]
    batches: Mapping[str, int]
    rows: Mapping[str, int]
    operations: Mapping[str, int]
    faults: Mapping[str, int]
    ends: Mapping[str, int]
    findings: Sequence[str]
    samples: Sequence[Sample]

    @property
    def verdicts(self) -> Sequence[Verdict]:
        return tuple(verdicts(self.samples))

    @property
    def wrong(self) -> Sequence[str]:
        """Everything that was wrong; empty if all is well."""
        grown = (
            f"{one.rule.name} of driver {one.life + 1} grows: {one.before:,.0f} to {one.after:,.0f}"
            for one in self.verdicts
            if one.state is State.GROWS
        )
        return (*self.findings, *grown)

    def save(self, path: Path) -> None:
        fields = {**asdict(self), "wrong": self.wrong}
        path.write_text(json.dumps(fields) + "\n", encoding="utf-8")


def wrong_rows(stream: str, expected: Mapping[str, int], found: Mapping[str, int]) -> Iterator[str]:
    """Which rows a target lacks, and which it has too often."""
    missing = Counter(expected) - Counter(found)
    more = Counter(found) - Counter(expected)
    for what, rows in (("lost", missing), ("doubled or never written", more)):
        if rows:
            some = ", ".join(sorted(rows)[:5])
            yield f"{stream}: {rows.total()} rows are {what}, such as {some}"
