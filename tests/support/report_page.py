# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The page of a report, parsed, and its charts, drawn."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timezone
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import vl_convert

from deltasource._report.page import render
from deltasource._report.stream_life import LagPoint, Moment, StreamLife
from support.checkpoint_samples import put, tracked
from support.progress_samples import source
from support.report_samples import Files, life, stored, written
from support.view_samples import HOSTILE, START, batch, failed, started

NOW: Final = datetime(2026, 11, 22, tzinfo=timezone.utc)
NOTHING: Final = StreamLife(name="orders", checkpoint="/c", table=None, operations={})
TAGS: Final = {
    *("html", "head", "meta", "title", "style", "body", "script", "noscript", "footer"),
    *("h1", "h2", "h3", "p", "div", "span", "b", "ul", "li", "details", "summary", "pre"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES: Final = {"lang", "charset", "http-equiv", "content", "name", "class", "id", "style"}
VOID: Final = {"meta"}


class Page(HTMLParser):
    """The text and the scripts of a page; fails at a tag or an attribute that is not expected."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.scripts: list[str] = []
        self.styles: list[str] = []
        self.policy = ""
        self.tags: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS
        given = dict(attrs)
        if tag == "script" and attrs:
            assert given == {"type": "application/json", "id": "charts"}
        else:
            assert set(given) <= ATTRIBUTES
        assert not any(
            "url(" in (value or "") or "://" in (value or "") for value in given.values()
        )
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"] or ""
        self.tags.append(tag)
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        kept = {"script": self.scripts, "style": self.styles}
        kept.get(self._open[-1] if self._open else "", self.texts).append(data)

    @property
    def charts(self) -> Mapping[str, Any]:
        """The charts and their data, as the script of the page reads them."""
        values: Mapping[str, Any] = json.loads(self.scripts[0])
        return values


def shown(found: StreamLife, library: str = "library()") -> Page:
    return Page(render(found, library, now=NOW))


def drawn(found: StreamLife) -> dict[str, str]:
    """Draw the charts of a page as SVG, as its script does."""
    page = shown(found).charts
    return {
        name: vl_convert.vegalite_to_svg({**spec, "datasets": page["data"]})
        for name, spec in page["charts"].items()
    }


def marks(svg: str, kind: str) -> int:
    """Count the marks of a kind that a chart shows, such as bars."""
    return len(re.findall(rf'aria-roledescription="{kind}"', svg))


def hostile(folder: Path) -> StreamLife:
    """Return the life of a stream with hostile text wherever a file can contain text."""
    one_line = HOSTILE.replace("\n", " ")
    path = stored(folder / "c", [one_line], done=[0])
    put(path, "metadata", json.dumps({"id": f"id of {HOSTILE}"}))
    put(path / "_schema_log_x", "0", tracked(0))
    put(path / "_schema_log_x", "1", tracked(1, **{HOSTILE: "long"}))
    events = written(
        folder / "e.jsonl",
        started(HOSTILE),
        batch(0, source(5, HOSTILE, batchClosedBy=HOSTILE, secondsOutstanding="1"), name=HOSTILE),
        failed(HOSTILE, condition=HOSTILE, message=HOSTILE),
    )
    found = life(Files(path, folder / "none", events), events=events, table=f"/{HOSTILE}")
    lag = found.lags[0]
    return replace(
        found,
        operations={HOSTILE: 1},
        notes=[*found.notes, HOSTILE],
        lags=[lag, LagPoint(lag.at, HOSTILE, lag.lag)],
        moments=[*found.moments, Moment(START, "failure", HOSTILE)],
    )
