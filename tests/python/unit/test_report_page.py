# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The page of a report: it runs only its own scripts, and shows text as text."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace
from pathlib import Path

import pytest

from deltasource import QueryFailed
from deltasource._report import sections
from deltasource._report.page import render
from deltasource._report.stream_life import BatchRecord
from support.report_page import NOTHING, NOW, hostile, shown
from support.report_samples import EVENTS, Files, life, stream
from support.view_samples import START


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """Return the files of a stream."""
    return stream(tmp_path)


def test_a_browser_runs_only_the_scripts_of_the_page(files: Files) -> None:
    """The policy has the hash of each script, and nothing that allows others."""
    page = shown(life(files, events=files.events), library="a < b && '</script><!--'")
    assert "</script" not in page.scripts[1]
    digests = [hashlib.sha256(one.encode()).digest() for one in page.scripts[1:]]
    hashes = [f"'sha256-{base64.b64encode(one).decode()}'" for one in digests]
    assert page.policy.partition("script-src ")[2].split() == hashes
    assert "unsafe-eval" not in page.policy
    assert page.scripts[2].count("ast: true") == 1


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


def test_a_page_of_nothing_says_what_is_missing() -> None:
    """A stream that was never started has no charts."""
    page = shown(NOTHING)
    assert page.charts["charts"] == {}
    for text in ("None is known.", "Nothing is known except the batches."):
        assert text in page.texts


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
