# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What the command line says about mistyped options and commands."""

from __future__ import annotations

import pytest

from deltasource.__main__ import main


def refused(line: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """Run an invalid command line, and return its error."""
    with pytest.raises(SystemExit) as ended:
        main(line)
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (["--verison"], "unknown option --verison; did you mean --version?"),
        (["-verison"], "unknown option -verison; did you mean --version?"),
        (["ofsets", "c"], "unknown command ofsets; did you mean offsets?"),
        (["BACKLOG", "c"], "unknown command BACKLOG; did you mean backlog?"),
        (["offsets", "c", "--lsat", "3"], "unknown option --lsat; did you mean --last?"),
        (["watch", "--onec", "f"], "unknown option --onec; did you mean --once?"),
        (["doctor", "--fromat=json"], "unknown option --fromat; did you mean --format?"),
        (
            ["backlog", "c", "t", "--fail_if", "x"],
            "unknown option --fail_if; did you mean --fail-if?",
        ),
        (
            ["backlog", "c", "t", "--fail-on", "x", "--fromat", "json", "--frobnicate"],
            "unknown options --fail-on (did you mean --fail-if?), --fromat (did you mean "
            "--format?), --frobnicate",
        ),
        (["-v"], "unknown option -v; did you mean --version?"),
        (["-V"], "unknown option -V; did you mean --version?"),
        (["help"], "unknown command help; did you mean --help?"),
        (["version"], "unknown command version; did you mean --version?"),
        (["doctor", "-f", "json"], "unknown option -f; did you mean --format?"),
        (["backlog", "-f", "json"], "unknown option -f; did you mean --fail-if or --format?"),
        (
            ["--once", "watch", "f"],
            "option --once belongs after its command: watch",
        ),
        (
            ["--spark=4.2", "jar"],
            "option --spark belongs after its command: jar or submit-args",
        ),
        (
            ["backlog", "c", "t", "--last", "3"],
            "--last is an option of offsets, and backlog does not have it",
        ),
    ],
)
def test_the_nearest_name_is_suggested(
    line: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A mistyped option or command is an invalid command line; the error has the right name."""
    assert refused(line, capsys).endswith(f": error: {message}\n")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (["frobnicate"], "invalid choice: 'frobnicate'"),
        (["offsets", "c", "--frobnicate"], "error: unknown option --frobnicate"),
        (["offsets", "c", "-n", "3"], "error: unknown option -n"),
        (["offsets", "--", "--lsat", "x"], "unrecognized arguments: x"),
    ],
)
def test_a_name_that_resembles_none_gets_no_suggestion(
    line: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is named, with the usage of the command; what follows -- is no option."""
    error = refused(line, capsys)
    assert message in error
    assert ("usage: deltasource offsets" in error) == (line[0] == "offsets")


def test_an_option_must_not_be_shortened(capsys: pytest.CaptureFixture[str]) -> None:
    """A script that does it would fail when there is another option that begins so."""
    with pytest.raises(SystemExit):
        main(["explain-offset", "null", "--form", "json"])
    assert "unknown option --form; did you mean --format?" in capsys.readouterr().err
