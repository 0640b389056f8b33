# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A sink for `foreachBatch`: a file for each batch, so that a batch that is run again shows."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pyspark.sql import DataFrame


class BatchFiles:
    """The files of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def write(self, frame: DataFrame, batch: int) -> None:
        """Write the rows of a batch; fail if it is there with other rows."""
        self.save([row["row"] for row in frame.collect()], batch)

    def save(self, rows: list[str], batch: int) -> None:
        file = self._folder / f"{batch}.json"
        if file.exists():
            known = Counter(json.loads(file.read_text(encoding="utf-8")))
            if known != Counter(rows):
                raise ValueError(f"batch {batch} was run again with other rows")
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        # A process that is killed here leaves no half of a file.
        unfinished = file.with_suffix(".unfinished")
        unfinished.write_text(json.dumps(rows), encoding="utf-8")
        unfinished.replace(file)

    def rows(self) -> Iterator[str]:
        """The rows of all batches."""
        for file in self._folder.glob("*.json"):
            yield from json.loads(file.read_text(encoding="utf-8"))
