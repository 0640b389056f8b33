# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What the checkpoint of a query says, from a local folder or through a session."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from deltasource._checkpoint import backlog, offset_log
from deltasource._checkpoint.places import Place, numbered, place, told
from deltasource._checkpoint.schema_log import schema_log, schema_logs_in
from deltasource.errors import CheckpointError
from deltasource.lag import Lag
from deltasource.offsets import Offset
from deltasource.starts import StreamStart, read_starts
from deltasource.tracking import TrackedSchema
from deltasource.types import SessionLike


@dataclass(frozen=True)
class Batch:
    """One batch of a query, as its checkpoint has it.

    id          its number, from 0
    committed   whether it is done; a batch that is not is planned, and a restart runs it again
    sources     where it ends, for each source that has an offset by then: an Offset for a Delta
                source, the text as it stands for any other. The key is the source's position,
                from "0", or its name where Spark's source evolution is on
    planned_at  when Spark planned it, in UTC; None where the checkpoint does not say
    """

    id: int
    committed: bool
    sources: Mapping[str, Offset | str]
    planned_at: datetime | None = None


class Checkpoint:
    """The checkpoint of a query.

    path   a local folder, as its path or as a file: URI. With `spark`, text is any path that
           `spark.read` takes, on whatever file system; one without a scheme is on its default one
    spark  the classic session whose Hadoop file systems are read through; None, the default, for
           a local folder, which needs neither Spark nor a JVM

    It is only read, also while the query runs; nothing is kept in memory, and each call looks
    again. What Spark writes beside its files (`.7.crc`, `.7.<uuid>.tmp`) is passed over.

    Raises RemotePathError for a path that is not local without `spark`, or of a file system that
    the session does not know; ConnectError for a session of Spark Connect. Each method raises
    CheckpointError where there is no checkpoint, or a file in it cannot be read.
    """

    def __init__(self, path: str | os.PathLike[str], spark: SessionLike | None = None) -> None:
        self._spark = spark
        self._place: Place = place(path, spark)

    @property
    def path(self) -> str:
        """Where it is: a local path, or a URI."""
        return str(self._place)

    def batches(self, *, last: int | None = None) -> Iterator[Batch]:
        """Answer the batches the checkpoint still has, newest last; only the `last` ones if given.

        Spark keeps the newest hundred or so. The files are listed at once, and each is read when
        its batch is asked for; one that a running query clears away meanwhile is left out.
        """
        newest_done, files = self._listed()
        first = 0 if last is None else max(0, len(files) - last)
        return self._read(newest_done, list(files.items())[first:])

    def planned(self) -> Batch | None:
        """Answer the newest batch if it is planned and not done; None if all is done."""
        batch = next(self.batches(last=1), None)
        return batch if batch is not None and not batch.committed else None

    def last_committed(self) -> Batch | None:
        """Answer the newest batch that is done; None before the first is."""
        newest_done, files = self._listed()
        if newest_done >= 0 and newest_done not in files:
            raise CheckpointError(
                f"{self._place / 'commits' / str(newest_done)} says that batch {newest_done} is "
                f"done, but {self._place / 'offsets' / str(newest_done)} is missing. "
                "Restore it from a copy, or start with a new checkpoint"
            )
        chosen = [(newest_done, files[newest_done])] if newest_done >= 0 else []
        return next(self._read(newest_done, chosen), None)

    def starts(self) -> Mapping[str, StreamStart]:
        """Answer where the streams of this checkpoint began, by the name of the source's folder.

        Only our source remembers it, and only until its first batch is committed
        (docs/design/0006-starting-points.md): for any other stream there is nothing. Raises
        StartError if such a file is damaged.
        """
        self._require_checkpoint()
        with told(CheckpointError, self._place):
            return read_starts(self._place / "sources")

    def schema_log(self, location: str | os.PathLike[str] | None = None) -> Sequence[TrackedSchema]:
        """Answer the schemas that are tracked below a schema tracking location, in their order.

        location  see the function `schema_log`; without it, the logs that stand in the checkpoint
                  or in a folder right below it

        Raises SchemaLogError where the location or a file of the log cannot be read.
        """
        if location is not None:
            return schema_log(location, spark=self._spark)
        self._require_checkpoint()
        return schema_logs_in(self._place)

    def backlog(
        self,
        table: str | os.PathLike[str],
        *,
        source: str | None = None,
        now: datetime | None = None,
    ) -> Lag:
        """Answer what lies between the last committed batch and the newest version of a table.

        table   the folder of the table: a path as that of the checkpoint
        source  which of the sources, by its key in `Batch.sources`; without it the one that reads
                the table, which is an error where several do
        now     the instant that `seconds` counts to, with its zone; by default the present one

        Raises NoOffsetError where no batch is done or the source is not clear, OtherTableError,
        BeyondTableError, TableError or CommitError where the table does not fit or is damaged.
        """
        at = place(table, self._spark)
        return backlog.of(self.last_committed(), at, source=source, now=now)

    def _listed(self) -> tuple[int, dict[int, Place]]:
        """Answer the newest batch that is done, or -1, and the offset files by their batch."""
        self._require_checkpoint()
        with told(CheckpointError, self._place):
            # In this order: a batch that is done meanwhile is taken for planned, not for missing.
            done = numbered(self._place / "commits")
            return max(done, default=-1), numbered(self._place / "offsets")

    def _require_checkpoint(self) -> None:
        signs = ("metadata", "offsets", "commits", "sources")
        with told(CheckpointError, self._place):
            found = any((self._place / sign).exists() for sign in signs)
        if not found:
            raise CheckpointError(
                f"{self.path} is no checkpoint of a query: it holds none of {', '.join(signs)}. "
                "Give the folder that the query has as its checkpointLocation"
            )

    def _read(self, newest_done: int, files: Sequence[tuple[int, Place]]) -> Iterator[Batch]:
        for batch, file in files:
            try:
                entry = offset_log.read(file)
            except FileNotFoundError:
                # A running query clears its oldest batches away.
                continue
            # With asynchronous progress not every batch is marked done: a later mark covers it.
            yield Batch(batch, batch <= newest_done, entry.sources, entry.planned_at)
