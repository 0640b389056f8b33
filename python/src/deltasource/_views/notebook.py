# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The live view of queries in a notebook."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, cast

from deltasource._logger import LOG
from deltasource._monitor.event_sinks import EventSink
from deltasource._monitor.events import Event
from deltasource._session.extras import missing_library
from deltasource._views.notebook_table import summaries_html
from deltasource._views.query_summary import QuerySummary, with_event

_SECONDS: Final = 0.5


def notebook_view() -> EventSink:
    """Create an event sink that shows all queries in a table of a notebook, and keeps it current.

    The table appears in the output of the cell that calls this function, which must be in a
    notebook of Jupyter, or in another that displays IPython's rich output; elsewhere nothing is
    shown, and a warning is logged. It has a row for each
    query: its state, latest batch, rows per second, lag, how much of the initial snapshot is read
    and the time left for the rest, bars for the rows of its latest batches, and its last error. It
    changes at most twice a second. When the block of `monitor` ends, it shows the final state. The
    HTML needs no JavaScript and no libraries, so it stays in an exported notebook.

    Returns:
        An event sink for `monitor`.

    Raises:
        MissingLibraryError: IPython is not installed.

    Example:
        >>> import deltasource
        >>> with deltasource.monitor(spark, deltasource.notebook_view()):  # doctest: +SKIP
        ...     query.awaitTermination()
    """
    try:
        from IPython.core.display_functions import display
        from IPython.core.getipython import get_ipython
    except ImportError as error:
        raise missing_library("IPython", extra="notebook") from error
    if cast(Any, get_ipython)() is None:
        LOG.warning("notebook_view shows nothing outside a notebook: use log_progress")
        return NotebookView(lambda _: None)
    handle: Any = cast(Any, display)(_bundle(summaries_html({})), raw=True, display_id=True)
    return NotebookView(lambda text: handle.update(_bundle(text), raw=True))


def _bundle(text: str) -> Mapping[str, str]:
    # The plain text is for a terminal, which cannot update it in place.
    return {"text/html": text, "text/plain": "queries, as a table in a notebook"}


class NotebookView:
    """Shows the summaries of queries, at most twice a second.

    A change that comes too early is shown by a timer, or by `close`.

    Args:
        show: Shows HTML in place of the last.
        seconds: The least time between two calls of `show`, except for that of `close`.
    """

    def __init__(self, show: Callable[[str], None], *, seconds: float = _SECONDS) -> None:
        self._show = show
        self._seconds = seconds
        self._lock = threading.Lock()
        self._summaries: Mapping[str, QuerySummary] = {}
        self._due = 0.0
        self._timer: threading.Timer | None = None

    def __call__(self, event: Event) -> None:
        """Add an event, and show the queries now or soon."""
        with self._lock:
            self._summaries = with_event(self._summaries, event)
            if self._timer is not None:
                return
            left = self._due - time.monotonic()
            if left <= 0:
                self._update()
                return
            self._timer = threading.Timer(left, self._late)
            self._timer.daemon = True
            self._timer.start()

    def close(self) -> None:
        """Show the final state."""
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            self._update()

    def _late(self) -> None:
        with self._lock:
            # None if it was closed in between.
            if self._timer is not None:
                self._timer = None
                self._update()

    def _update(self) -> None:
        self._due = time.monotonic() + self._seconds
        self._show(summaries_html(self._summaries))
