# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""An argument parser that suggests the nearest option or command for a mistyped one."""

# pyright: reportPrivateUsage=false, reportIncompatibleMethodOverride=false
# argparse does not say publicly which options and commands a parser has, and has overloads.

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from itertools import takewhile
from typing import Any, Final

_END_OF_OPTIONS: Final = "--"
_SHORT: Final = len("-v")


class SuggestingParser(argparse.ArgumentParser):
    """A parser whose error for a mistyped name ends with the name that was probably meant.

    The parsers of its commands are of this class, too. What resembles no name is left to argparse,
    which lists all commands.
    """

    def __init__(self, **given: Any) -> None:
        # A script with the beginning of an option would break when there is another such option.
        super().__init__(allow_abbrev=False, **given)

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
        if mistake := self._misplaced(own, given[len(own) :]):
            return mistake
        if mistake := _unknown_options(self._unknown_options(own)):
            return mistake
        command = given[len(own)] if commands and len(own) < len(given) else None
        if command is None or command in commands:
            return None
        nearest = _nearest(command, commands) or _nearest(command, self._option_string_actions)
        return f"unknown command {command}; did you mean {nearest}?" if nearest else None

    def _misplaced(self, before: Sequence[str], given: Sequence[str]) -> str | None:
        """Return the error for an option of a command that is before it, or at another command."""
        parsers = self._parsers()
        for name in self._names(before):
            having = [command for command, parser in parsers.items() if parser._has(name)]
            if having and not self._accepts(name):
                return f"option {name} belongs after its command: {_one_of(having)}"
        command = parsers.get(given[0]) if given else None
        for name in command._names(given[1:]) if command else ():
            having = [one for one, parser in parsers.items() if parser._has(name)]
            if having and command and not command._accepts(name):
                return f"{name} is an option of {_one_of(having)}, and {given[0]} does not have it"
        return None

    def _unknown_options(self, given: Sequence[str]) -> dict[str, str | None]:
        """Return the options that the parser does not have, each with its nearest name."""
        known = self._option_string_actions
        names = [name for name in self._names(given) if not self._accepts(name)]
        return {name: _nearest_option(name, known) for name in names}

    def _names(self, given: Sequence[str]) -> Sequence[str]:
        options = filter(_is_option, takewhile(lambda one: one != _END_OF_OPTIONS, given))
        return [option.partition("=")[0] for option in options]

    def _commands(self) -> Sequence[str]:
        return list(self._parsers())

    def _parsers(self) -> Mapping[str, SuggestingParser]:
        found = [one for one in self._actions if isinstance(one, argparse._SubParsersAction)]
        return {name: parser for one in found for name, parser in one.choices.items()}

    def _has(self, name: str) -> bool:
        return name in self._option_string_actions

    def _accepts(self, name: str) -> bool:
        # argparse takes a value right after a short option.
        return self._has(name if name.startswith(_END_OF_OPTIONS) else name[:_SHORT])


def _is_option(argument: str) -> bool:
    # argparse takes what has a space, and a negative number, as a value.
    return (
        argument.startswith("-")
        and argument != "-"
        and " " not in argument
        and not argument[1:2].isdigit()
    )


def _unknown_options(nearest: Mapping[str, str | None]) -> str | None:
    """Return the error for options that do not exist; None if all do."""
    if not nearest:
        return None
    if len(nearest) == 1:
        ((name, meant),) = nearest.items()
        return f"unknown option {name}" + (f"; did you mean {meant}?" if meant else "")
    listed = [f"{one} (did you mean {meant}?)" if meant else one for one, meant in nearest.items()]
    return f"unknown options {', '.join(listed)}"


def _one_of(commands: Sequence[str]) -> str:
    return " or ".join([", ".join(commands[:-1]), commands[-1]] if commands[1:] else commands)


def _nearest_option(name: str, known: Iterable[str]) -> str | None:
    if len(name) > _SHORT:
        return _nearest(name, known)
    # A letter resembles no word, but stands for those that begin with it.
    return " or ".join(one for one in known if one.startswith(f"--{name[1:].lower()}")) or None


def _nearest(name: str, known: Iterable[str]) -> str | None:
    # Without the dashes, which would make every option resemble every other.
    names = {one.strip("-"): one for one in known}
    found = get_close_matches(name.strip("-").lower(), names, n=1)
    return names[found[0]] if found else None
