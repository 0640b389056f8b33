# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Writes a page about the life of a stream."""

from __future__ import annotations

import os
from pathlib import Path

from deltasource._logger import LOG
from deltasource._monitor.history import History
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._report.gather import Sources
from deltasource._report.page_file import write_page
from deltasource._types import SessionLike


@with_keyword_hints
def report(
    checkpoint: str | os.PathLike[str],
    table: str | os.PathLike[str] | None = None,
    *,
    events: str | os.PathLike[str] | History | None = None,
    to: str | os.PathLike[str] = "report.html",
    source: str | None = None,
    change_feed: bool = False,
    spark: SessionLike | None = None,
) -> Path:
    """Write an HTML page about the life of a stream: batches, times, lag, changes and failures.

    The page is one file that needs no network: a browser loads nothing for it. The page lists
    what is missing, such as batches that Spark has deleted, a table that cannot be read, or events
    of another query. If the table cannot be read, or none of the events are of this query, a
    warning is logged, too. Needs the extra `report`, and no Spark.

    Args:
        checkpoint: The checkpoint of the query, as for `Checkpoint`. The query may be running.
        table: The table that it reads, as for `Checkpoint.backlog`. None leaves out the lag and how
            much each batch has read.
        events: The local file that `monitor(spark, "events.jsonl")` writes, which may contain
            other queries as well, or the `History` of the query. None leaves out what a checkpoint
            does not say: rows, planning times, failures and restarts.
        to: The file to write. A file that exists is replaced.
        source: The key of the source in `Batch.sources`; None uses the source that reads the table.
        change_feed: Whether the source reads the change feed of the table, as for
            `Checkpoint.backlog`.
        spark: The classic session whose file systems are used, as for `Checkpoint`.

    Returns:
        The path of the page.

    Raises:
        OptionsError: A file or folder does not exist, `to` cannot be written, `source` is not text,
            or the table is a name and there is no session.
        MissingLibraryError: vl-convert-python is not installed.
        CheckpointError: There is no checkpoint, and no events of its query.
        OtherTableError: The checkpoint belongs to another table.
        ProgressError: No line of the file of events is an event, so it is another kind of file.
        RemotePathError: fsspec, or the session, does not know the file system of the checkpoint.
        ConnectError: The session is of Spark Connect.

    Example:
        >>> import deltasource
        >>> deltasource.report(  # doctest: +SKIP
        ...     "/checkpoints/orders", "/tables/orders", events="events.jsonl"
        ... )
        PosixPath('report.html')
    """
    page = write_page(
        Sources(
            checkpoint=checkpoint,
            table=table,
            events=events,
            source=source,
            change_feed=change_feed,
            spark=spark,
        ),
        to,
    )
    for warning in page.warnings:
        # A misspelled path would be seen only on the page.
        LOG.warning("%s", warning)
    return page.path
