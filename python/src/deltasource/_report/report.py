# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Writes a page about the life of a stream.

The charts are drawn by Vega-Lite, whose JavaScript vl-convert-python contains. It adds 0.9 MB to a
page, Plotly's would add 4.8 MB. Its charts are plain data, so a page can forbid all scripts but its
own, and it needs no other library. Its wheel is larger (34 MB, and Plotly's is 10 MB), but that
matters only where pages are written.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime, timezone
from pathlib import Path
from typing import Final

from deltasource._checkpoint.paths import PATH_ALLOWED
from deltasource._checkpoint.table_folder import FOLDER_ALLOWED
from deltasource._monitor.event_file import READ_ALLOWED
from deltasource._monitor.history import History
from deltasource._options.schema_tracking import is_location
from deltasource._options.validation import FLAG_ALLOWED, validate
from deltasource._report.gather import Sources, gather
from deltasource._report.page import render
from deltasource._session.extras import missing_library
from deltasource._text import is_path
from deltasource._types import SessionLike

EVENTS_ALLOWED: Final = f"{READ_ALLOWED}, or a History"
TO_ALLOWED: Final = "must be a file in a local folder that exists"


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
    of another query. If the table cannot be read, a warning is logged, too. Needs the extra
    `report`, and no Spark.

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
        OptionsError: A file or folder does not exist, or the table is a name and there is no
            session.
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
    is_table = table is None or (is_location(table) and (is_path(table) or spark is not None))
    validate(
        ("checkpoint", checkpoint, is_location(checkpoint), PATH_ALLOWED),
        ("table", table, is_table, FOLDER_ALLOWED),
        ("events", events, _are_events(events), EVENTS_ALLOWED),
        ("to", to, _can_be_written(to), TO_ALLOWED),
        ("change_feed", change_feed, isinstance(change_feed, bool), FLAG_ALLOWED),
    )
    life = gather(
        Sources(
            checkpoint=checkpoint,
            table=table,
            events=events,
            source=source,
            change_feed=change_feed,
            spark=spark,
        )
    )
    library = _bundler()("window.vegaEmbed = vegaEmbed;")
    page = Path(to)
    page.write_text(render(life, library, now=datetime.now(timezone.utc)), encoding="utf-8")
    return page


def _are_events(events: object) -> bool:
    is_file = isinstance(events, str | os.PathLike) and Path(events).is_file()
    return events is None or isinstance(events, History) or is_file


def _can_be_written(to: object) -> bool:
    if not isinstance(to, str | os.PathLike):
        return False
    file = Path(to)
    return file.parent.is_dir() and not file.is_dir()


def _bundler() -> Callable[[str], str]:
    """Return the function that bundles JavaScript with Vega-Lite; MissingLibraryError without."""
    try:
        from vl_convert import javascript_bundle
    except ImportError as error:
        raise missing_library("vl-convert-python", extra="report") from error
    return javascript_bundle
