# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Reads the checkpoint of a query: from a local folder, through fsspec or through a session."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial

from deltasource._checkpoint import backlog, checkpoint_html, commit_log, offset_log
from deltasource._checkpoint.offset_log import Batch
from deltasource._checkpoint.paths import (
    ReadablePath,
    os_errors_as,
    require_checkpoint,
    resolve_path,
)
from deltasource._checkpoint.schema_log import schema_log, schema_log_at
from deltasource._checkpoint.stored_batches import latest_files, list_batch_files
from deltasource._checkpoint.stream_start import StreamStart, read_starts
from deltasource._checkpoint.table_folder import resolve_table
from deltasource._checkpoint.tracked_schema import TrackedSchema
from deltasource._errors import CheckpointError
from deltasource._lag import CheckpointLag
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._options.validation import BATCHES_ALLOWED, is_count, validate
from deltasource._types import SessionLike


class Checkpoint:
    """The checkpoint of a query.

    A checkpoint is only read, which is safe while the query runs. Nothing is cached: each call
    reads the files again.

    Args:
        path: A local folder, as a path or a file: URI, or a URI that fsspec can read, such as
            s3://bucket/checkpoint, which needs the extra `remote`. With `spark`, text is any path
            that `spark.read` accepts; without a scheme, it is on the default file system.
        spark: The classic session whose file systems are used; None needs neither Spark nor a JVM.

    Raises:
        OptionsError: The path is empty.
        RemotePathError: fsspec, or the session, does not know the file system of the path; or
            fsspec or its library for the store is not installed.
        ConnectError: The session is of Spark Connect.

    Example:
        >>> from deltasource import Checkpoint
        >>> Checkpoint("/checkpoints/orders").path
        '/checkpoints/orders'
    """

    @with_keyword_hints
    def __init__(self, path: str | os.PathLike[str], spark: SessionLike | None = None) -> None:
        self._spark = spark
        self._path: ReadablePath = resolve_path(path, spark)

    @property
    def path(self) -> str:
        """The path of the checkpoint, which is a local path or a URI."""
        return str(self._path)

    @with_keyword_hints
    def batches(self, *, last: int | None = None) -> Iterator[Batch]:
        """Return the batches that the checkpoint still contains, oldest first.

        Spark keeps about the latest hundred. The files are listed now, and each is read when the
        iterator reaches it; a file that a running query has deleted by then is left out.

        Args:
            last: How many of the latest batches to return; None returns all.

        Returns:
            An iterator over the batches. After an error, it continues with the next batch.

        Raises:
            OptionsError: `last` is not a number of batches.
            CheckpointError: There is no checkpoint, or a file in it cannot be read.
            NewerOffsetError: An offset has a format that this version does not know.

        Example:
            >>> [one.id for one in Checkpoint("/checkpoints/orders").batches()]  # doctest: +SKIP
        """
        validate(("last", last, last is None or is_count(last), BATCHES_ALLOWED))
        commits, offsets = self._listed()
        if not offsets:
            self._require_offsets(commits, offsets)
        return self._read(commits, latest_files(offsets, last))

    def planned(self) -> Batch | None:
        """Return the latest batch if it is planned but not committed.

        Returns:
            The batch, or None if all batches are committed.

        Raises:
            CheckpointError: There is no checkpoint, or a file in it cannot be read.
            NewerOffsetError: An offset has a format that this version does not know.

        Example:
            >>> Checkpoint("/checkpoints/orders").planned()  # doctest: +SKIP
        """
        batch = next(self.batches(last=1), None)
        return batch if batch is not None and not batch.committed else None

    def last_committed(self) -> Batch | None:
        """Return the latest committed batch.

        Returns:
            The batch, or None if no batch is committed yet.

        Raises:
            CheckpointError: There is no checkpoint, or a file in it is missing or damaged.
            NewerOffsetError: An offset has a format that this version does not know.

        Example:
            >>> Checkpoint("/checkpoints/orders").last_committed().id  # doctest: +SKIP
            7
        """
        commits, offsets = self._listed()
        latest = max(commits, default=-1)
        if commits and latest not in offsets:
            self._require_offsets(commits, offsets)
        return next(self._read(commits, [(latest, offsets[latest])] if commits else []), None)

    def starts(self) -> Mapping[str, StreamStart]:
        """Return where the streams of this checkpoint started.

        Only our source records this, and only until its first batch is committed
        (docs/internals/design/0006-starting-points.md).

        Returns:
            The starts by the name of the source's folder; empty if none is recorded.

        Raises:
            CheckpointError: There is no checkpoint, or it cannot be read.
            StartError: A file that records a start is damaged.

        Example:
            >>> Checkpoint("/checkpoints/orders").starts()["0"].start_option  # doctest: +SKIP
            'Latest'
        """
        require_checkpoint(self._path)
        with os_errors_as(CheckpointError, self._path):
            return read_starts(self._path / "sources")

    @with_keyword_hints
    def schema_log(self, location: str | os.PathLike[str] | None = None) -> Sequence[TrackedSchema]:
        """Read the schemas that a stream with schema tracking has recorded.

        Args:
            location: The `schemaTrackingLocation`, as for the function `schema_log`; None finds the
                logs in the checkpoint and in its immediate subfolders.

        Returns:
            The entries, in the order in which they were written.

        Raises:
            CheckpointError: There is no checkpoint, or the location does not exist.
            SchemaLogError: A file of the log cannot be read.
            RemotePathError: fsspec, or the session of the checkpoint, cannot open the location.

        Example:
            >>> Checkpoint("/checkpoints/orders").schema_log()[-1].version  # doctest: +SKIP
            7
        """
        if location is not None:
            return schema_log(location, spark=self._spark)
        require_checkpoint(self._path)
        return schema_log_at(self._path)

    @with_keyword_hints
    def backlog(
        self,
        table: str | os.PathLike[str],
        *,
        source: str | None = None,
        now: datetime | None = None,
        change_feed: bool = False,
    ) -> CheckpointLag:
        """Compute how much of a table the query has not read yet, as of its last committed batch.

        Args:
            table: The table. Text with a slash or a scheme is its folder, in the same form as the
                path of the checkpoint, and so is an `os.PathLike`. Any other text is the name of a
                table, as for `read_stream`, and needs the session of the checkpoint.
            source: The key of the source in `Batch.sources`; None uses the source that reads the
                table, and fails if there are several.
            now: The time for which `Lag.seconds` and the hours to data loss are computed, with a
                time zone; None is the current time.
            change_feed: Whether the source reads the change feed of the table, as with
                `stream_changes`; a checkpoint does not say so. False, the default, is a stream of
                rows. A change feed reads other files, so `Lag.files`, `Lag.bytes`,
                `Lag.hours_to_data_loss` and `Lag.lost_file` differ.

        Returns:
            The lag in versions, files, bytes and seconds, the hours to data loss and what limits
            them, and a file that is lost already.

        Raises:
            OptionsError: `source` is not text, `now` has no time zone, `change_feed` is not a bool,
                `table` is an empty string, or `table` is a name and there is no session.
            CheckpointError: There is no checkpoint, or a file in it cannot be read.
            NoOffsetError: No batch is committed, or the source is ambiguous.
            OtherTableError: The checkpoint belongs to another table.
            BeyondTableError: The checkpoint has read more versions than the table has.
            TableError: There is no Delta table at this path, or of this name.
            LogReadError: The file system failed while the log or a removed file was looked for.
            CommitError: A commit of the table is damaged or empty.
            MissingCommitError: The log lacks a commit that was not read, and has those around it.

        Example:
            >>> print(Checkpoint("/checkpoints/orders").backlog("./orders"))  # doctest: +SKIP
        """
        folder = resolve_table(table, self._spark)
        return backlog.compute(
            self.last_committed(), folder, source=source, now=now, change_feed=change_feed
        )

    def __repr__(self) -> str:
        """Return the call that opens it, without a session."""
        return f"Checkpoint({self.path!r})"

    def _repr_html_(self) -> str:
        latest = partial(self.batches, last=checkpoint_html.LISTED)
        return checkpoint_html.checkpoint_html(self.path, latest)

    def _listed(self) -> tuple[Mapping[int, ReadablePath], Mapping[int, ReadablePath]]:
        """Return the commit files and the offset files by batch."""
        commits, offsets = list_batch_files(self._path)
        if commits:
            commit_log.require_readable(commits[max(commits)])
        return commits, offsets

    def _require_offsets(
        self, commits: Mapping[int, ReadablePath], offsets: Mapping[int, ReadablePath]
    ) -> None:
        for error in offset_log.missing_offsets(commits, offsets, self._path):
            raise error

    def _read(
        self, commits: Mapping[int, ReadablePath], files: Sequence[tuple[int, ReadablePath]]
    ) -> Iterator[Batch]:
        # Not a generator, which would end with the first file that cannot be read.
        return filter(None, map(partial(offset_log.read_batch, max(commits, default=-1)), files))
