# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The function and the command `report`: the file that they write, and their errors."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from deltasource import CheckpointError, MissingLibraryError, OptionsError, ProgressError, report
from deltasource.__main__ import main
from support.checkpoint_samples import OTHER, TABLE, table
from support.report_page import Page
from support.report_samples import QUERY, Files, stream, written
from support.view_samples import started


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """Return the files of a stream."""
    return stream(tmp_path)


@pytest.fixture
def small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out the library of the charts, which takes seconds."""

    def bundler() -> Callable[[str], str]:
        return lambda _: ""

    monkeypatch.setattr("deltasource._report.page_file._bundler", bundler)


def test_all_mistakes_are_reported_at_once(tmp_path: Path) -> None:
    """Nothing is read before the arguments are valid."""
    with pytest.raises(OptionsError) as error:
        report(
            tmp_path / "none",
            "orders",
            events=tmp_path / "none.jsonl",
            to=tmp_path / "none" / "a.html",
            source=1,  # type: ignore[arg-type]
            change_feed=1,  # type: ignore[arg-type]
        )
    options = [one.option for one in error.value.problems]
    assert options == ["table", "events", "to", "source", "change_feed"]
    assert str(error.value.problems[3]) == (
        'source must be the name of a source as text, such as "1", got 1'
    )


def test_a_folder_is_no_page(files: Files, tmp_path: Path) -> None:
    """Nor is a value of another type; the error says what is wrong with the path."""
    wrong: dict[object, str] = {
        tmp_path: ", and this is a folder, got ",
        tmp_path / "none" / "r.html": f", and {tmp_path}/none does not exist, got ",
        7: ", got 7",
    }
    for to, reason in wrong.items():
        with pytest.raises(OptionsError, match="in a local folder that exists") as error:
            report(files.checkpoint, to=to)  # type: ignore[arg-type]
        assert f"in a local folder that exists{reason}" in str(error.value)


def test_a_page_that_cannot_be_written_is_refused(
    files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is found out before anything is read, and the message says what to give instead."""
    said = (
        "to cannot be written (No such file or directory): give a file in a folder that this "
        "process may write to, got '/proc/x.html'"
    )
    with pytest.raises(OptionsError) as error:
        report(files.table, to="/proc/x.html")
    assert [str(one) for one in error.value.problems] == [said]
    assert main(["report", str(files.checkpoint), "--to", "/proc/x.html"]) == 3
    assert said in capsys.readouterr().err


@pytest.mark.usefixtures("small_pages")
def test_a_disk_that_is_full_is_named(files: Files, capsys: pytest.CaptureFixture[str]) -> None:
    """Python's own message has no file."""
    assert main(["report", str(files.checkpoint), "--to", "/dev/full"]) == 3
    assert capsys.readouterr().err == (
        "cannot write the report to /dev/full: No space left on device. Free some space, or give "
        "another file as `to` (`--to`)\n"
    )


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


@pytest.mark.usefixtures("small_pages")
@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (["./nope"], "/nope is not a Delta table: it does not exist."),
        (["", "--source", "7"], "has no offset of a Delta source '7', only of table "),
    ],
)
def test_the_command_fails_without_the_table(
    wrong: list[str],
    problem: str,
    files: Files,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The page is written, and the message is that of `backlog`, which fails as well."""
    to = tmp_path / "f.html"
    given = [str(files.checkpoint), wrong[0] or str(files.table), *wrong[1:]]
    assert main(["backlog", *given]) == 3
    assert problem in capsys.readouterr().err
    assert main(["report", *given, "--to", str(to)]) == 3
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), problem in err) == (f"{to}\n", 1, True)
    assert err.startswith("the report lacks the table: ")
    assert "What the batches have read of the table is unknown: " in to.read_text()


@pytest.mark.usefixtures("small_pages")
def test_the_function_warns_of_what_the_page_lacks(
    files: Files, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It returns the page; who calls it may not look at it."""
    report(files.checkpoint, tmp_path / "none", to=tmp_path / "g.html")
    (message,) = caplog.messages
    assert message.startswith(f"the report lacks the table: {tmp_path}/none is not a Delta table")


@pytest.mark.usefixtures("small_pages")
def test_events_of_other_queries_are_a_message(
    files: Files, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page says the same; the command succeeds, as the query may have no events yet."""
    others = written(tmp_path / "others.jsonl", started("payments"))
    given = [str(files.checkpoint), "--events", str(others), "--to", str(tmp_path / "h.html")]
    assert main(["report", *given]) == 0
    assert capsys.readouterr().err == (
        f"The events are of other queries ('payments'), and none is of this one, {QUERY}.\n"
    )


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
