# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The file of a page about the life of a stream.

The charts are drawn by Vega-Lite, whose JavaScript vl-convert-python contains. It adds 0.9 MB to a
page, Plotly's would add 4.8 MB. Its charts are plain data, so a page can forbid all scripts but its
own, and it needs no other library. Its wheel is larger (34 MB, and Plotly's is 10 MB), but that
matters only where pages are written.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Final

from deltasource._checkpoint.backlog import source_rule
from deltasource._checkpoint.paths import PATH_ALLOWED
from deltasource._checkpoint.table_folder import FOLDER_ALLOWED
from deltasource._monitor.event_file import READ_ALLOWED
from deltasource._monitor.history import History
from deltasource._monitor.output_file import append_problem, writable_rule
from deltasource._options.schema_tracking import is_location
from deltasource._options.validation import FLAG_ALLOWED, validate
from deltasource._report.gather import Sources, gather
from deltasource._report.page import render
from deltasource._session.extras import missing_library
from deltasource._text import is_path

EVENTS_ALLOWED: Final = f"{READ_ALLOWED}, or a History"


@dataclass(frozen=True, kw_only=True)
class PageFile:
    """A page that was written.

    Args:
        path: The file.
        warnings: Why the page lacks something that it was asked for.
        lacks_table: Whether the table is such a thing.
    """

    path: Path
    warnings: Sequence[str]
    lacks_table: bool


def write_page(given: Sources, to: str | os.PathLike[str]) -> PageFile:
    """Write a page from its sources; raises what `report` raises."""
    table, by_name = given.table, given.spark is not None
    is_table = table is None or (is_location(table) and (is_path(table) or by_name))
    validate(
        ("checkpoint", given.checkpoint, is_location(given.checkpoint), PATH_ALLOWED),
        ("table", table, is_table, FOLDER_ALLOWED),
        ("events", given.events, _are_events(given.events), EVENTS_ALLOWED),
        writable_rule("to", to, append_problem),
        source_rule(given.source),
        ("change_feed", given.change_feed, isinstance(given.change_feed, bool), FLAG_ALLOWED),
    )
    life = gather(given)
    library = _bundler()("window.vegaEmbed = vegaEmbed;")
    page = Path(to)
    try:
        page.write_text(render(life, library, now=datetime.now(timezone.utc)), encoding="utf-8")
    except OSError as error:
        # Such as a full disk; Python's message does not name the file then.
        raise OSError(
            f"cannot write the report to {page}: {error.strerror}. Free some space, or give "
            "another file as `to` (`--to`)"
        ) from error
    return PageFile(path=page, warnings=life.warnings, lacks_table=life.lacks_table)


def _are_events(events: object) -> bool:
    is_file = isinstance(events, str | os.PathLike) and Path(events).is_file()
    return events is None or isinstance(events, History) or is_file


def _bundler() -> Callable[[str], str]:
    """Return the function that bundles JavaScript with Vega-Lite; MissingLibraryError without."""
    try:
        from vl_convert import javascript_bundle
    except ImportError as error:
        raise missing_library("vl-convert-python", extra="report") from error
    return javascript_bundle
