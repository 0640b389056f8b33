# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The queries that metrics tell apart: at most a number of them."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Final

from deltasource._logger import LOG
from deltasource._monitor.conditions import OTHER
from deltasource._monitor.events import Event
from deltasource._monitor.query_metrics import QueryMetrics
from deltasource._options.validation import Rule

MAX_QUERIES: Final = 200
"""The default."""
_ALLOWED: Final = "must be an integer of at least 1"


def max_queries_rule(max_queries: object) -> Rule:
    """Return the rule for the number of queries."""
    return "max_queries", max_queries, type(max_queries) is int and max_queries >= 1, _ALLOWED


class QuerySeries:
    """The latest metrics of each query, from any thread.

    The number of queries is limited, because queries without names have a new id for each new
    checkpoint. If there is one more, its gauges replace those of the query that ended first; one
    that has failed stays for longer. If all of them run, the gauges of the new one are left out.
    Counters cannot be taken back, so those of one more query count as "other". Either is logged
    once.
    """

    def __init__(self, max_queries: int) -> None:
        self._max_queries = max_queries
        self._lock = threading.Lock()
        # Replaced, never changed, so that others can read it at any time.
        self._latest: Mapping[str, QueryMetrics] = {}
        self._counted: set[str] = set()
        self._logged = False

    @property
    def latest(self) -> Mapping[str, QueryMetrics]:
        """The metrics of each query, by name or id."""
        return self._latest

    def add(self, event: Event) -> None:
        """Apply an event to the gauges of its query."""
        query = _label(event)
        with self._lock:
            latest = dict(self._latest)
            if query not in latest and len(latest) >= self._max_queries:
                self._log(query)
                first = _first_to_end(latest)
                if first is None:
                    return
                del latest[first]
            latest[query] = QueryMetrics.after(latest.get(query), event)
            self._latest = latest

    def counted_as(self, event: Event) -> str:
        """Return the name under which counters and histograms have the query of an event."""
        query = _label(event)
        with self._lock:
            if query not in self._counted and len(self._counted) >= self._max_queries:
                self._log(query)
                return OTHER
            self._counted.add(query)
            return query

    def clear(self) -> None:
        """Forget all gauges."""
        with self._lock:
            self._latest = {}

    def _log(self, query: str) -> None:
        if not self._logged:
            self._logged = True
            LOG.warning(
                "metrics are kept for %d queries, and %r is one more: queries that have ended are "
                "dropped, and counters have it as %r. Give queries names, or set max_queries",
                self._max_queries,
                query,
                OTHER,
            )


def _label(event: Event) -> str:
    # JSON may contain a lone surrogate, which cannot be encoded.
    return event.query.encode("utf-8", "replace").decode()


def _first_to_end(latest: Mapping[str, QueryMetrics]) -> str | None:
    ended = [(m.state == "failed", m.ended, query) for query, m in latest.items() if m.ended]
    return min(ended)[2] if ended else None
