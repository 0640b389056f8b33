# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""An argument parser that suggests the nearest option or command for a mistyped one."""

# pyright: reportPrivateUsage=false, reportIncompatibleMethodOverride=false
# argparse does not say publicly which options and commands a parser has, and has overloads.

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from itertools import takewhile
from typing import Any, Final

_END_OF_OPTIONS: Final = "--"


class SuggestingParser(argparse.ArgumentParser):
    """A parser whose error for a mistyped name ends with the name that was probably meant.

    The parsers of its commands are of this class, too. What resembles no name is left to argparse,
    which lists all commands.
    """

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse the arguments, after looking for mistyped names in them."""
        given = list(sys.argv[1:] if args is None else args)
        if mistake := self._mistake(given):
            self.error(mistake)
        found, rest = super().parse_known_args(given, namespace)
        if rest and not self._commands():
            # With the usage of the command. argparse would print that of all commands.
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return found, rest

    def _mistake(self, given: Sequence[str]) -> str | None:
        commands = self._commands()
        own = list(takewhile(_is_option, given) if commands else given)
        for option in filter(_is_option, takewhile(lambda one: one != _END_OF_OPTIONS, own)):
            name = option.partition("=")[0]
            if not self._accepts(name) and (nearest := _nearest(name, self._option_string_actions)):
                return f"unknown option {name}; did you mean {nearest}?"
        command = given[len(own)] if commands and len(own) < len(given) else None
        if command is None or command in commands:
            return None
        nearest = _nearest(command, commands)
        return f"unknown command {command}; did you mean {nearest}?" if nearest else None

    def _commands(self) -> Sequence[str]:
        found = [one for one in self._actions if isinstance(one, argparse._SubParsersAction)]
        return [name for one in found for name in one.choices]

    def _accepts(self, name: str) -> bool:
        # argparse takes the beginning of a long option, and a value right after a short one.
        known = self._option_string_actions
        if name.startswith(_END_OF_OPTIONS):
            return any(one.startswith(name) for one in known)
        return name[:2] in known


def _is_option(argument: str) -> bool:
    # argparse takes what has a space, and a negative number, as a value.
    return (
        argument.startswith("-")
        and argument != "-"
        and " " not in argument
        and not argument[1:2].isdigit()
    )


def _nearest(name: str, known: Iterable[str]) -> str | None:
    # Without the dashes, which would make every option resemble every other.
    names = {one.strip("-"): one for one in known}
    found = get_close_matches(name.strip("-"), names, n=1)
    return names[found[0]] if found else None
