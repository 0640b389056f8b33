# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The ledger: each operation before it is run, and then whether it was committed."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from soak import operation
from soak.operation import Operation
from soak.stream import SoakStream
from soak.table_state import TableState


@dataclass(frozen=True, kw_only=True)
class Entry:
    """An operation; its number is the `userMetadata` of its commit.

    Attributes:
        key: The folder of the table.
        before_streams: Whether it was run before the streams started.
    """

    number: int
    key: str
    operation: Operation
    before_streams: bool


class Ledger:
    """An append-only file. It outlives every process that is killed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._number = 0

    def begin(self, key: str, operation_: Operation, *, before_streams: bool = False) -> Entry:
        """Record an operation that will be run."""
        self._number += 1
        self._append(
            {
                "begun": self._number,
                "key": key,
                "operation": operation.to_json(operation_),
                "before_streams": before_streams,
            }
        )
        return Entry(
            number=self._number, key=key, operation=operation_, before_streams=before_streams
        )

    def end(self, entry: Entry, *, committed: bool) -> None:
        """Record whether the operation was committed."""
        self._append({"ended": entry.number, "committed": committed})

    def committed(self) -> Iterator[Entry]:
        """The operations that were committed, in their order."""
        begun: dict[int, Entry] = {}
        for line in self._path.read_text(encoding="utf-8").splitlines():
            fields = json.loads(line)
            if "begun" in fields:
                entry = Entry(
                    number=fields["begun"],
                    key=fields["key"],
                    operation=operation.from_json(fields["operation"]),
                    before_streams=fields["before_streams"],
                )
                begun[entry.number] = entry
            elif fields["committed"]:
                yield begun.pop(fields["ended"])
            else:
                del begun[fields["ended"]]
        if begun:
            raise ValueError(f"operations without an end: {sorted(begun)}")

    def expected(self, stream: SoakStream) -> Counter[str]:
        """The rows that a stream must have delivered, and how often."""
        state = TableState()
        found: Counter[str] = Counter()
        for entry in self.committed():
            if entry.key == stream.source.key:
                effect = state.apply(entry.operation)
                if stream.reads_first_rows or not entry.before_streams:
                    found.update(stream.delivered(effect))
        return found

    def _append(self, fields: dict[str, object]) -> None:
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(fields) + "\n")
