# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The function and the command `report`: the file that they write, and their errors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from deltasource import CheckpointError, MissingLibraryError, OptionsError, ProgressError, report
from deltasource.__main__ import main
from support.checkpoint_samples import OTHER, TABLE, table
from support.report_page import Page
from support.report_samples import Files, stream


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """Return the files of a stream."""
    return stream(tmp_path)


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
    """The extra is `report`. A wrong checkpoint is reported first."""
    monkeypatch.setitem(__import__("sys").modules, "vl_convert", None)
    with pytest.raises(MissingLibraryError, match="pip install 'vl-convert-python"):
        report(files.checkpoint)
    with pytest.raises(CheckpointError):
        report(files.table)


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
    assert main(["report", str(tmp_path), "orders"]) == 3


def test_the_command_fails_with_the_wrong_table(
    files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error names both tables, as that of `backlog` does, and no page is written."""
    other = table(tmp_path / "other", [10], table_id=OTHER)
    to = tmp_path / "d.html"
    given = [str(files.checkpoint), str(other), "--events", str(files.events)]
    assert main(["report", *given, "--to", str(to)]) == 3
    error = capsys.readouterr().err
    assert error.startswith("[DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE]")
    assert (
        f"{other} is table {OTHER}, but the checkpoint has read table {TABLE} (source '0')."
        in error
    )
    assert not to.exists()


def test_a_file_of_another_kind_is_refused(files: Files, tmp_path: Path) -> None:
    """Such as the Prometheus file of the same query; a file with some damaged lines is read."""
    metrics = tmp_path / "metrics.prom"
    metrics.write_text("# TYPE deltasource_lag_files gauge\ndeltasource_lag_files 3\n")
    to = tmp_path / "e.html"
    with pytest.raises(ProgressError, match=r"no line of this file is an event.*line 1") as error:
        report(files.checkpoint, events=metrics, to=to)
    assert str(metrics) in str(error.value)
    assert not to.exists()


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
