# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Values as HTML in a notebook: well-formed, escaped, without scripts and style sheets."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from deltasource import Checkpoint, DoctorCheck, History, Lag, Progress, Report
from deltasource import _html as html
from deltasource._views.notebook_table import summaries_html
from deltasource._views.query_summary import QuerySummary, with_event
from support.checkpoint_samples import checkpoint, offset
from support.event_samples import behind
from support.progress_samples import progress, sink, source
from support.view_samples import HOSTILE, SEVERAL, batch, failed, started

ALLOWED = {
    *("div", "span", "b", "table", "thead", "tbody", "tr", "th", "td"),
    *("svg", "g", "rect", "title"),
}
ATTRIBUTES = {
    *("style", "xmlns", "width", "height", "viewbox", "role", "x", "y", "fill"),
}


class Page(HTMLParser):
    """The text and the tags of HTML; fails if a tag is not closed or not expected."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.tags: list[str] = []
        self._open: list[str] = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED
        assert {name for name, _ in attrs} <= ATTRIBUTES
        assert not any("url(" in (value or "") for _, value in attrs)
        self.tags.append(tag)
        self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert {name for name, _ in attrs} <= ATTRIBUTES
        assert tag == "rect"
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def shown(value: Any) -> Page:
    """Return the page of a value, as a notebook displays it."""
    return Page(value._repr_html_())


def history(*batches: Progress) -> History:
    found = History()
    for one in batches:
        found.add(one)
    return found


def test_a_history_has_a_bar_for_each_batch() -> None:
    """Planning is drawn below the rest of the batch, and the latest five are listed."""
    batches = [behind(batchId=number, batchDuration=100 + number) for number in range(8)]
    page = shown(history(*batches))
    assert page.tags.count("g") == 8
    assert page.tags.count("rect") == 16
    assert "batch 7: 10 rows in 107 ms, planned in 12 ms" in page.texts
    listed = [text for text in page.texts if text.endswith(" ms") and "batch" not in text]
    assert listed[::2] == ["107 ms", "106 ms", "105 ms", "104 ms", "103 ms"]


def test_the_bars_of_a_history_have_the_height_of_the_duration() -> None:
    """The longest batch fills the height; planning is its share."""
    text = history(behind(batchDuration=120), behind(batchDuration=60))._repr_html_()
    heights = [float(found) for found in re.findall(r'height="([\d.]+)" fill', text)]
    assert heights == [6, 54, 6, 24]


def test_a_history_without_batches_says_so() -> None:
    """A query that has only waited has none."""
    waiting = behind(durationMs={"triggerExecution": 3})
    for empty in (history(), history(waiting)):
        assert "no batch is done yet" in shown(empty).texts


def test_a_progress_is_a_table() -> None:
    """Rows, duration, lag, snapshot and sink are listed."""
    texts = shown(behind(batchId=7)).texts
    assert texts[:3] == ["orders", "batch", "7"]
    lag = "4 versions, 7 files, 99200005 bytes, 5400.2 seconds behind"
    assert f"5 rows, {lag}, planned in 12 ms, closed by 'maxFilesPerTrigger'" in texts
    assert "5 rows, 25.0 % of the snapshot" in texts


def test_a_report_says_what_to_fix() -> None:
    """Each check has its status and its fix."""
    java = DoctorCheck(check="Java", status="fail", found="11", fix="install Java 17")
    texts = shown(Report((java, DoctorCheck(check="Spark", status="ok", found="4.2.0")))).texts
    assert texts[:3] == ["deltasource doctor", " ", "fix Java first"]
    assert texts[7:11] == ["fail", "Java", "11", "install Java 17"]
    assert "nothing to fix" in shown(Report(())).texts


def test_a_checkpoint_lists_its_latest_batches(tmp_path: Path) -> None:
    """The latest five are listed, with what each has read."""
    done = list(range(6))
    offsets = [offset(number) for number in range(7)]
    texts = shown(Checkpoint(checkpoint(tmp_path, *offsets, done=done))).texts
    assert "Everything before version 6 has been read, and nothing of version 6 yet." in texts
    assert [text for text in texts if text in ("yes", "no")] == ["no", "yes", "yes", "yes", "yes"]


def test_a_checkpoint_that_cannot_be_read_shows_its_error(tmp_path: Path) -> None:
    """A notebook must not print a traceback for a value that it displays."""
    texts = shown(Checkpoint(tmp_path / "none")).texts
    assert any(text.startswith("[DELTASOURCE_UNREADABLE_CHECKPOINT]") for text in texts)
    empty = shown(Checkpoint(checkpoint(tmp_path / "c"))).texts
    assert "no batch has been planned yet" in empty


def test_a_lag_has_units() -> None:
    """What is unknown is a dash; what never happens says so."""
    lag = Lag(versions=1234, files=None, bytes=1 << 20, seconds=90, hours_to_data_loss=24.0)
    assert shown(lag).texts == [
        *("versions behind", "1,234", "files", "-", "size", "1.0 MiB"),
        *("age of the oldest", "1 min 30 s", "until data loss", "1 d"),
    ]
    assert "never" in shown(replace(lag, hours_to_data_loss=math.inf)).texts
    assert shown(replace(lag, lost_file="/t/a.parquet")).texts[-2:] == ["lost file", "/t/a.parquet"]


def test_a_size_that_no_file_has_can_be_shown() -> None:
    """A damaged commit may contain any number."""
    lag = Lag(versions=1, files=1, bytes=10**400, seconds=0)
    assert "over 8,192.0 PiB" in shown(lag).texts


def hostile_values(folder: Path) -> list[Any]:
    """Return values that contain hostile text wherever they can."""
    named = Progress.of(
        progress(source(5, HOSTILE, batchClosedBy=HOSTILE), name=HOSTILE, sink=sink())
    )
    check = DoctorCheck(check=HOSTILE, status="warn", found=HOSTILE, fix=HOSTILE)
    return [
        named,
        history(named),
        Report((check,)),
        Checkpoint(checkpoint(folder / "c", HOSTILE.replace("\n", " "), done=[0])),
        Checkpoint(folder / HOSTILE[:100].replace("/", "")),
        Lag(versions=0, files=0, bytes=0, seconds=0, lost_file=HOSTILE),
    ]


def test_hostile_text_is_only_text(tmp_path: Path) -> None:
    """Tags, escapes and new lines in names, paths and errors are shown, and do nothing."""
    events = [started(HOSTILE), batch(0, name=HOSTILE), failed(HOSTILE, message=HOSTILE)]
    pages = [*map(shown, hostile_values(tmp_path)), Page(summaries(*events))]
    for page in pages:
        assert all(text.isprintable() for text in page.texts)
        assert any("<script>alert('x')<" in text for text in page.texts)


def summaries(*events: Any) -> str:
    folded: dict[str, QuerySummary] = {}
    for event in events:
        folded = dict(with_event(folded, event))
    return summaries_html(folded)


def test_the_live_view_has_a_row_for_each_query() -> None:
    """Errors are below the table."""
    texts = Page(summaries(*SEVERAL)).texts
    assert [texts[n] for n in (7, 8, 9, 10)] == ["orders_backfill", "running", "3", "30"]
    assert "40.0 %, 6 min left" in texts
    assert "4 versions, 7 files, 94.6 MiB, 1 h 30 min behind" in texts
    assert texts[-1] == "[DELTA_SOURCE_TABLE_IGNORE_CHANGES] Detected a data update"
    assert "none has started yet" in Page(summaries()).texts


@given(st.text(), st.lists(st.lists(st.text() | st.integers() | st.none(), min_size=2, max_size=2)))
def test_any_text_is_well_formed(title: str, rows: list[list[Any]]) -> None:
    """No text opens or closes a tag, and none is longer than its limit."""
    page = Page(html.page(html.heading(title), html.table(("a", title), rows, right={"a"})))
    assert page.tags.count("tr") == len(rows) + 1
    assert page.tags.count("b") == 1
