# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Draws charts of batches, lags and versions on one axis of time, in the format of Vega-Lite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from deltasource import _html as html
from deltasource._report.chart_data import FROM_FILES, PLANNING, REST, Spec

_HEIGHT: Final = 150
_PIXELS: Final = 300

_TIMES: Final = {"seconds": "%H:%M:%S", "minutes": "%H:%M", "hours": "%H:%M", "date": "%b %d"}
_X_AXIS: Final[Spec] = {"title": None, "grid": False, "labelOverlap": True, "tickCount": 6}
# The axes of all charts have the same width, so that their times are below each other.
_Y_AXIS: Final[Spec] = {
    "title": None,
    "tickCount": 4,
    "format": "~s",
    "minExtent": 32,
}
_SECONDS: Final = "datum.value ? datum.label : '0'"
# Half a file has no label.
_COUNT: Final = "datum.value ? (datum.value % 1 ? '' : datum.label) : '0'"
_POINT: Final[Spec] = {"type": "point", "filled": True, "size": 28, "opacity": 1}
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


@dataclass(frozen=True)
class Drawing:
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
                self._bar() if text == "read" else _POINT,
                color=_legend(known, text),
                tooltip=_batch_tooltip({"field": name, "title": text, "format": ","}),
            )
            for name, text in known.items()
        ]
        return self._spec(layers)

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
        return self._spec([layer])

    def lag(self, column: str, *, several: bool) -> Spec | None:
        """Draw a number of the lag, with a line for each source."""
        if not self._has("lags", column):
            return None
        color = {"field": "source", "type": "nominal"} if several else {"value": html.BLUE}
        tooltip = [_WHEN, {"field": column, "format": ",.3~f"}, {"field": "source"}]
        line = {"type": "line", "point": {"size": 16}, "strokeWidth": 1.5}
        return self._spec([self._layer("lags", column, line, color=color, tooltip=tooltip)])

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
        return Drawing(self.data, (self.domain[0], last))._spec(layers)

    def _has(self, name: str, column: str) -> bool:
        return any(one[column] is not None for one in self.data[name])

    def _bar(self) -> Spec:
        width = max(1, min(10, _PIXELS // max(1, len(self.data["batches"]))))
        return {"type": "bar", "width": width, "clip": True}

    def _layer(
        self, name: str, column: str, mark: Spec, *, color: Spec, tooltip: Sequence[Spec]
    ) -> Spec:
        number = {"field": column, "type": "quantitative"}
        # Versions are points on a line, not amounts.
        label = _SECONDS if column in ("seconds", "value") else _COUNT
        axis = {**_Y_AXIS, "labelExpr": label}
        y = {**number, "axis": axis, "scale": {"zero": column != "version"}}
        return {
            "data": {"name": name},
            # A line of a lag is broken where the lag is unknown.
            "transform": [] if name == "lags" else [_valid(column)],
            "mark": mark,
            "encoding": {"y": y, "color": color, "tooltip": tooltip},
        }

    def _spec(self, layers: Sequence[Spec]) -> Spec | None:
        if not layers:
            return None
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
            "layer": [*layers, _MOMENTS],
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
