# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What all commands share: how they are declared, their results and exit codes."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, replace
from typing import Final, Protocol

from deltasource._errors import OptionsError
from deltasource._invalid_option import InvalidOption
from deltasource._text import HIDDEN, starts_at_home

SUCCESS: Final = 0
CHECK_FAILED: Final = 1
INVALID_ARGUMENT: Final = 2
ERROR: Final = 3

FLAGS: Final = ("change_feed", "events", "source", "to")
"""The arguments of functions that are options of commands; others have the same name in both."""


@dataclass(frozen=True)
class CommandResult:
    """The text for standard output, messages for standard error, and the exit code."""

    output: str
    messages: tuple[str, ...] = ()
    exit_code: int = SUCCESS


class Commands(Protocol):
    """The subparsers of argparse, whose class is private."""

    def add_parser(self, name: str, *, help: str) -> argparse.ArgumentParser:  # noqa: A002 - its name
        """Declare a command."""
        ...


def exit_code(error: OptionsError) -> int:
    """Return whether an argument is invalid by itself, or because of what the files are."""
    of_files = (*FLAGS, "file")
    return ERROR if any(one.option in of_files for one in error.problems) else INVALID_ARGUMENT


def with_flags(error: OptionsError) -> OptionsError:
    """Return the error with the names that arguments of functions have on the command line."""
    return OptionsError([_with_flag(one) if one.option in FLAGS else one for one in error.problems])


def _with_flag(problem: InvalidOption) -> InvalidOption:
    flag = replace(problem, option=f"--{problem.option.replace('_', '-')}")
    if problem.given != "True":
        return flag
    # An option without a value is there or not.
    reason = problem.reason.replace("must be False", "must be left out")
    return replace(flag, reason=reason, given=HIDDEN)


def path(text: str) -> str:
    """Parse a path or a URI."""
    if not text.strip():
        raise argparse.ArgumentTypeError("must not be empty: is a variable of the shell not set?")
    if starts_at_home(text):
        raise argparse.ArgumentTypeError(
            f"{text} begins with ~, which the shell has not expanded: leave out the quotes"
        )
    return text


def positive_int(text: str) -> int:
    """Parse a positive integer."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"must be an integer of at least 1, got {text!r}")
    return int(text)
