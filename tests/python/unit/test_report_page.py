# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The page of a report: it loads nothing, runs only its own scripts, and shows text as text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import pytest
import vl_convert

from deltasource import MissingLibraryError, OptionsError, QueryFailed, report
from deltasource.__main__ import main
from deltasource._report import sections
from deltasource._report.chart_data import chart_data
from deltasource._report.charts import charts
from deltasource._report.page import render
from deltasource._report.stream_life import BatchRecord, LagPoint, Moment, MomentKind, StreamLife
from support.checkpoint_samples import put, tracked
from support.progress_samples import source
from support.report_samples import EVENTS, Files, done, life, stored, stream, written
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
KINDS: Final[tuple[MomentKind, ...]] = ("schema", "failure")


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


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """Return the files of a stream."""
    return stream(tmp_path)


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


def test_the_page_is_one_file_that_loads_nothing(files: Files, tmp_path: Path) -> None:
    """No tag or style has an address, and the policy lets a browser load nothing."""
    to = report(files.checkpoint, files.table, events=files.events, to=tmp_path / "a.html")
    assert to == tmp_path / "a.html"
    page = Page(to.read_text(encoding="utf-8"))
    assert page.policy.startswith("default-src 'none'; style-src 'unsafe-inline'; script-src ")
    assert not re.search(r"@import|url\(|https?:", "".join(page.styles))
    assert not re.search(r"https?:", "".join([page.scripts[0], page.scripts[2], *page.texts]))
    # Names of standards and of pages in Vega's own text: nothing that it loads by itself.
    known = ("http://www.w3.org/", "https://vega.github.io/", "https://github.com/vega/")
    found = re.findall(r"https?://[^\s\"']*", page.scripts[1])
    assert [one for one in found if not one.startswith(known)] == []
    assert to.stat().st_size < 1_100_000


def test_a_browser_runs_only_the_scripts_of_the_page(files: Files) -> None:
    """The policy has the hash of each script, and nothing that allows others."""
    page = shown(life(files, events=files.events), library="a < b && '</script><!--'")
    assert "</script" not in page.scripts[1]
    digests = [hashlib.sha256(one.encode()).digest() for one in page.scripts[1:]]
    hashes = [f"'sha256-{base64.b64encode(one).decode()}'" for one in digests]
    assert page.policy.partition("script-src ")[2].split() == hashes
    assert "unsafe-eval" not in page.policy
    assert page.scripts[2].count("ast: true") == 1


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


def test_hostile_text_is_only_text(tmp_path: Path) -> None:
    """Tags, escapes and new lines are shown; nothing in a file starts a script or a tag."""
    page = shown(hostile(tmp_path))
    assert len(page.scripts) == 3
    assert "<" not in page.scripts[0]
    assert all(text.isprintable() for one in page.texts for text in one.split("\n"))
    assert sum("<script>alert('x')<" in text for text in page.texts) >= 12
    values = [
        str(value)
        for rows in page.charts["data"].values()
        for one in rows
        for value in one.values()
    ]
    assert any("<script>" in value for value in values)
    assert all(value.isprintable() for value in values)


def test_hostile_text_is_never_a_part_of_a_chart(tmp_path: Path) -> None:
    """Vega-Lite evaluates some of the text of a chart, but none of its data."""
    assert "<script>" not in json.dumps(shown(hostile(tmp_path)).charts["charts"])


def test_every_chart_draws_its_marks(files: Files) -> None:
    """A bar for each batch of which a number is known, and a dashed line for each moment."""
    found = drawn(life(files, events=files.events))
    assert set(found) == {one.id for one in charts(NOTHING)}
    assert marks(found["rows"], "bar") == 2
    assert (marks(found["files"], "bar"), marks(found["files"], "point")) == (2, 2)
    # Two batches in two parts, and one batch of which only the checkpoint knows.
    assert marks(found["times"], "bar") == 4
    assert marks(found["lag-seconds"], "line mark") == 1
    assert marks(found["versions"], "line mark") == 2
    assert {marks(svg, "rule mark") for svg in found.values()} == {5}


def test_a_checkpoint_alone_has_fewer_charts(files: Files) -> None:
    """Those that it does not have say what they need."""
    found = life(files)
    assert set(drawn(found)) == {"files", "bytes", "times", "versions"}
    texts = shown(found).texts
    assert (
        texts.count('Not known. It needs the events that monitor(spark, "events.jsonl") writes.')
        == 1
    )
    assert "Unknown: only a file of events has them." in texts


def test_a_page_of_nothing_says_what_is_missing() -> None:
    """A stream that was never started has no charts."""
    page = shown(NOTHING)
    assert page.charts["charts"] == {}
    for text in ("None is known.", "Nothing is known except the batches."):
        assert text in page.texts


def test_planning_is_a_part_of_the_batch() -> None:
    """The parts add up to the whole, also if several sources plan longer than the batch took."""
    one = BatchRecord(id=1, started=START, seconds=2.0, planning_seconds=0.5)
    alone = replace(one, planning_seconds=None)
    longer = replace(one, seconds=0.0)
    rows = chart_data(replace(NOTHING, batches=[one, alone, longer]))["batches"]
    assert [(row["planning"], row["rest of the batch"]) for row in rows] == [
        (0.5, 1.5),
        (None, 2.0),
        (0.0, 0.0),
    ]


def test_a_schema_change_does_not_stretch_the_axis() -> None:
    """A copy of a checkpoint may have files of any time."""
    later = START + timedelta(days=900)
    found = replace(NOTHING, batches=[BatchRecord(id=1, started=START, rows=5)])
    ends = [
        shown(replace(found, moments=[Moment(later, kind, "")])).charts["charts"]["rows"]
        for kind in KINDS
    ]
    first, last = (json.loads(one["encoding"]["x"]["scale"]["domain"]["signal"]) for one in ends)
    start = START.timestamp() * 1000
    assert first == [start - 1000, start + 1000]
    assert last[1] > later.timestamp() * 1000


def test_each_source_has_a_line() -> None:
    """With one source there is nothing to tell apart."""
    lag = done(0, 0).lags["0"]
    points = [LagPoint(START, "0", lag), LagPoint(START, "1", lag)]
    assert marks(drawn(replace(NOTHING, lags=points))["lag-versions"], "line mark") == 2
    assert marks(drawn(replace(NOTHING, lags=points[:1]))["lag-versions"], "line mark") == 1


def test_the_numbers_are_at_the_top(files: Files) -> None:
    """State, batches, rows, runs, failures, lag and the time until data loss."""
    page = shown(life(files, events=files.events))
    start = page.texts.index("running")
    assert page.texts[start + 1] == "at its last event, 2026-11-21 17:00:11Z"
    assert page.texts[start + 2 : start + 10] == [
        *("3", "batches", "20", "rows", "2", "runs", "1", "failures"),
    ]
    assert page.texts[start + 10] == "2 versions"
    assert page.texts[start + 11].startswith("behind the table now: 3 files, 180 B, ")


def test_a_stack_trace_is_folded_and_cut(files: Files) -> None:
    """Its lines are kept, up to 20,000 characters."""
    (failure,) = (one for one in EVENTS if isinstance(one, QueryFailed))
    trace = "a <b>\n\tat c\n" + "x" * 30_000
    found = replace(life(files), failures=[replace(failure, exception=trace)], failure_count=9)
    text = render(found, "", now=NOW)
    assert "<pre>a &lt;b&gt;\n    at c\nxxx" in text
    assert "…\n…</pre>" in text
    assert "the latest 1 of 9" in shown(found).texts


def test_only_the_latest_batches_are_listed() -> None:
    """The newest is first, and columns that say nothing are left out."""
    many = [BatchRecord(id=number, started=None) for number in range(sections.LISTED + 9)]
    page = shown(replace(NOTHING, batches=many, batch_count=len(many)))
    assert page.tags.count("tr") == sections.LISTED + 1
    assert "the latest 50 of 59" in page.texts
    start = page.texts.index("batch")
    assert page.texts[start : start + 2] == ["batch", "58"]


def test_a_column_is_shown_if_one_batch_is_unusual() -> None:
    """All batches are committed and have events, most of the time."""
    usual = BatchRecord(id=1, started=START, seconds=0.25, planning_seconds=12.0)
    planned = replace(usual, id=2, committed=False, from_files=True)
    page = shown(replace(NOTHING, batches=[usual, planned]))
    start = page.texts.index("batch")
    assert page.texts[start + 4 : start + 6] == ["committed", "times from"]
    assert [text for text in page.texts if text in ("yes", "no", "files", "events")] == [
        *("no", "files", "yes", "events"),
    ]
    assert page.texts[start + 8 : start + 10] == ["250 ms", "12 s"]


def test_all_mistakes_are_reported_at_once(tmp_path: Path) -> None:
    """Nothing is read before the arguments are valid."""
    with pytest.raises(OptionsError) as error:
        report(
            tmp_path / "none",
            "orders",
            events=tmp_path / "none.jsonl",
            to=tmp_path / "none" / "a.html",
            change_feed=1,  # type: ignore[arg-type]
        )
    assert [one.option for one in error.value.problems] == ["table", "events", "to", "change_feed"]


def test_a_folder_is_no_page(files: Files, tmp_path: Path) -> None:
    """Nor is a value of another type."""
    for to in (tmp_path, 7):
        with pytest.raises(OptionsError, match="must be a file in a local folder that exists"):
            report(files.checkpoint, to=to)  # type: ignore[arg-type]


def test_without_the_library_the_error_says_how_to_install_it(
    files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The extra is `report`."""
    monkeypatch.setitem(__import__("sys").modules, "vl_convert", None)
    with pytest.raises(MissingLibraryError, match=r"pip install '.*\[report\]'"):
        report(files.checkpoint)


def test_the_command_prints_the_path_of_the_page(
    files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its options are those of the function."""
    to = str(tmp_path / "b.html")
    given = [str(files.checkpoint), str(files.table), "--events", str(files.events), "--to", to]
    assert main(["report", *given, "--source", "0", "--change-feed"]) == 0
    assert capsys.readouterr().out == f"{to}\n"
    assert "2 versions" in Page(Path(to).read_text(encoding="utf-8")).texts


def test_the_command_fails_without_a_checkpoint(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No page is written."""
    to = tmp_path / "c.html"
    assert main(["report", str(tmp_path), "--to", str(to)]) == 3
    assert "DELTASOURCE_UNREADABLE_CHECKPOINT" in capsys.readouterr().err
    assert not to.exists()
    with pytest.raises(SystemExit):
        main(["report", str(tmp_path), "orders"])
