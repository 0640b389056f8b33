# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The charts of a page, in the format of Vega-Lite.

All charts share the data, which is in the page once, and the charts of batches share their axis of
time. Text from files is only ever data: Vega-Lite evaluates nothing of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeAlias

from deltasource import _html as html
from deltasource._format import format_time, printable
from deltasource._report.stream_life import BatchRecord, Moment, StreamLife

Spec: TypeAlias = Mapping[str, Any]

PLANNING: Final = "planning"
REST: Final = "rest of the batch"
FROM_FILES: Final = "whole batch, from the files of the checkpoint"
MARKED: Final = {"start": html.GREY, "failure": html.RED, "schema": html.GREEN}
"""The moments that all charts show, as dashed lines."""

_HEIGHT: Final = 150
_MAX_TEXT: Final = 200
_PIXELS: Final = 300


@dataclass(frozen=True, kw_only=True)
class Chart:
    """A chart. `spec` is None if there is nothing to draw; `why` says what it would need."""

    id: str
    title: str
    note: str
    spec: Spec | None
    why: str


def chart_data(life: StreamLife) -> Mapping[str, Sequence[Spec]]:
    """Return the data of all charts, by name."""
    marked = [one for one in life.moments if one.kind in MARKED and one.at is not None]
    return {
        "batches": [_batch(one) for one in life.batches if one.started is not None],
        "lags": [
            {
                **_time(one.at),
                "source": printable(one.source),
                "seconds": one.lag.seconds,
                "versions": one.lag.versions,
            }
            for one in life.lags
        ],
        "moments": [_moment(one) for one in marked],
        "versions": [{**_time(at), "version": version} for version, at in life.table_versions],
    }


def charts(life: StreamLife) -> Sequence[Chart]:
    """Return the charts of a page."""
    data = chart_data(life)
    domain = _domain([one for name in ("batches", "lags", "moments") for one in data[name]])
    drawn = _Drawn(data, domain)
    needs_events = 'It needs the events that monitor(spark, "events.jsonl") writes.'
    needs_table = "It needs the table, and its log from the first of these batches on."
    several = len({one["source"] for one in data["lags"]}) > 1
    return (
        Chart(
            id="rows",
            title="Rows",
            note="read by each batch, from all sources",
            spec=drawn.amounts({"rows": "read"}),
            why=needs_events,
        ),
        Chart(
            id="files",
            title="Files",
            note="read: in the log of the table, between the offsets of the batch",
            spec=drawn.amounts({"files_read": "read", "files_written": "written"}),
            why=f"{needs_table} What is written needs events.",
        ),
        Chart(
            id="bytes",
            title="Bytes",
            note="size of these files",
            spec=drawn.amounts({"bytes_read": "read", "bytes_written": "written"}),
            why=f"{needs_table} What is written needs events.",
        ),
        Chart(
            id="times",
            title="Planning and running",
            note="seconds for each batch",
            spec=drawn.times(),
            why="No batch has a duration: none is done, or the files of the checkpoint have "
            "times that cannot be right, as those of a copy.",
        ),
        Chart(
            id="lag-seconds",
            title="Lag in time",
            note="age in seconds of the oldest commit that was not read",
            spec=drawn.lag("seconds", several=several),
            why=f"{needs_events} Only our source reports its lag.",
        ),
        Chart(
            id="lag-versions",
            title="Lag in versions",
            note="commits that were not read to their end",
            spec=drawn.lag("versions", several=several),
            why=f"{needs_events} Only our source reports its lag.",
        ),
        Chart(
            id="versions",
            title="Versions",
            note="of the table, and how far the stream has read",
            spec=drawn.versions(),
            why="No batch in the checkpoint has the offset of a Delta source.",
        ),
    )


@dataclass(frozen=True)
class _Drawn:
    """Draws charts of data on one axis of time; None if there is nothing to draw."""

    data: Mapping[str, Sequence[Spec]]
    domain: tuple[int, int]

    def amounts(self, columns: Mapping[str, str]) -> Spec | None:
        """Draw columns of the batches: the first as bars, the second as points."""
        known = {name: text for name, text in columns.items() if self._has("batches", name)}
        layers = [
            self._layer(
                "batches",
                name,
                self._bar() if text == "read" else {"type": "point", "filled": True, "size": 28},
                color=_legend(known, text),
                tooltip=_batch_tooltip({"field": name, "title": text, "format": ","}),
            )
            for name, text in known.items()
        ]
        return self._spec(layers, "~s")

    def times(self) -> Spec | None:
        """Draw how long each batch took, and how much of that was planning."""
        parts = {PLANNING: html.ORANGE, REST: html.BLUE, FROM_FILES: html.GREY}
        known = [name for name in parts if self._has("batches", name)]
        if not known:
            return None
        scale = {"domain": known, "range": [parts[name] for name in known]}
        layer = {
            **self._layer(
                "batches",
                "value",
                self._bar(),
                color={"field": "part", "type": "nominal", "scale": scale},
                tooltip=_batch_tooltip(
                    {"field": "part", "title": "part"},
                    {"field": "value", "title": "seconds", "format": ",.3~f"},
                ),
            ),
            "transform": [{"fold": known, "as": ["part", "value"]}, _valid("value")],
        }
        return self._spec([layer], "~s")

    def lag(self, column: str, *, several: bool) -> Spec | None:
        """Draw a number of the lag, with a line for each source."""
        if not self._has("lags", column):
            return None
        color = {"field": "source", "type": "nominal"} if several else {"value": html.BLUE}
        tooltip = [_WHEN, {"field": column, "format": ",.3~f"}, {"field": "source"}]
        line = {"type": "line", "point": {"size": 16}, "strokeWidth": 1.5}
        return self._spec([self._layer("lags", column, line, color=color, tooltip=tooltip)], "~s")

    def versions(self) -> Spec | None:
        """Draw the versions of the table, and those that the stream has reached."""
        if not self._has("batches", "version"):
            return None
        known = {"versions": "table", "batches": "stream"}
        shown = {name: text for name, text in known.items() if self._has(name, "version")}
        colors = {"table": html.GREY, "stream": html.BLUE}
        scale = {
            "domain": list(shown.values()),
            "range": [colors[text] for text in shown.values()],
        }
        line = {"type": "line", "interpolate": "step-after", "point": {"size": 16}, "clip": True}
        layers = [
            self._layer(
                name,
                "version",
                line,
                color={"datum": text, "type": "nominal", "scale": scale},
                tooltip=[_WHEN, {"field": "version", "title": f"version of the {text}"}],
            )
            for name, text in shown.items()
        ]
        last = max([self.domain[1], *(one["at"] for one in self.data["versions"])])
        return _Drawn(self.data, (self.domain[0], last))._spec(layers, "~d", zero=False)

    def _has(self, name: str, column: str) -> bool:
        return any(one[column] is not None for one in self.data[name])

    def _bar(self) -> Spec:
        width = max(1, min(10, _PIXELS // max(1, len(self.data["batches"]))))
        return {"type": "bar", "width": width, "clip": True}

    def _layer(
        self, name: str, column: str, mark: Spec, *, color: Spec, tooltip: Sequence[Spec]
    ) -> Spec:
        return {
            "data": {"name": name},
            "transform": [_valid(column)],
            "mark": mark,
            "encoding": {"y": {"field": column}, "color": color, "tooltip": tooltip},
        }

    def _spec(self, layers: Sequence[Spec], format_: str, *, zero: bool = True) -> Spec | None:
        if not layers:
            return None
        y = {
            "type": "quantitative",
            "axis": {**_Y_AXIS, "format": format_},
            "scale": {"zero": zero},
        }
        with_y = [
            {**one, "encoding": {**one["encoding"], "y": {**one["encoding"]["y"], **y}}}
            for one in layers
        ]
        return {
            "width": "container",
            "height": _HEIGHT,
            "autosize": {"type": "fit", "contains": "padding", "resize": True},
            "encoding": {
                "x": {
                    "field": "at",
                    "type": "temporal",
                    # As numbers: dates in a domain do not work with Vega's interpreter.
                    "scale": {"type": "utc", "domain": {"signal": str(list(self.domain))}},
                    "axis": {**_X_AXIS, "format": _TIMES},
                }
            },
            "layer": [*with_y, _MOMENTS],
        }


_TIMES: Final = {"seconds": "%H:%M:%S", "minutes": "%H:%M", "hours": "%H:%M", "date": "%b %d"}
_X_AXIS: Final[Spec] = {"title": None, "grid": False, "labelOverlap": True, "tickCount": 6}
# The axes of all charts have the same width, so that their times are below each other.
_Y_AXIS: Final[Spec] = {
    "title": None,
    "tickCount": 4,
    "minExtent": 32,
    "labelExpr": "datum.value ? datum.label : '0'",
}
_WHEN: Final[Spec] = {"field": "when", "title": "at"}
_MOMENTS: Final[Spec] = {
    "data": {"name": "moments"},
    "mark": {"type": "rule", "strokeDash": [4, 3], "clip": True},
    "encoding": {
        # The colors themselves.
        "color": {"field": "color", "type": "nominal", "scale": None},
        "tooltip": [_WHEN, {"field": "text", "title": "what"}],
    },
}


def _legend(known: Mapping[str, str], text: str) -> Spec:
    """Return the color of a column; with one column there is nothing to tell apart."""
    colors = {"read": html.BLUE, "written": html.ORANGE}
    shown = list(known.values())
    if len(shown) == 1:
        return {"value": colors[text]}
    scale = {"domain": shown, "range": [colors[one] for one in shown]}
    return {"datum": text, "type": "nominal", "scale": scale}


def _valid(column: str) -> Spec:
    return {"filter": {"field": column, "valid": True}}


def _batch_tooltip(*fields: Spec) -> Sequence[Spec]:
    return [{"field": "batch"}, {"field": "when", "title": "started"}, *fields]


def _domain(points: Sequence[Spec]) -> tuple[int, int]:
    """Return the time that all points span, with a margin of a fiftieth."""
    times = [one["at"] for one in points] or [0]
    margin = max(1000, (max(times) - min(times)) // 50)
    return min(times) - margin, max(times) + margin


def _batch(one: BatchRecord) -> Spec:
    seconds, planning = one.seconds, one.planning_seconds
    measured = seconds is not None and not one.from_files
    # Sources may plan at the same time.
    least = None if planning is None else min(planning, seconds or planning)
    return {
        **_time(one.started),
        "batch": one.id,
        "rows": one.rows,
        "files_read": one.files_read,
        "bytes_read": one.bytes_read,
        "files_written": one.files_written,
        "bytes_written": one.bytes_written,
        PLANNING: least,
        REST: round(seconds - (least or 0), 6) if seconds is not None and measured else None,
        FROM_FILES: seconds if one.from_files else None,
        "version": one.version,
    }


def _moment(one: Moment) -> Spec:
    text = one.text if len(one.text) <= _MAX_TEXT else f"{one.text[:_MAX_TEXT]}…"
    return {**_time(one.at), "text": printable(text), "color": MARKED[one.kind]}


def _time(at: datetime | None) -> Spec:
    if at is None:
        return {"at": None, "when": None}
    return {"at": round(at.timestamp() * 1000), "when": format_time(at)}
