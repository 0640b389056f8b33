# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Renders the arguments of each command in docs/reference/command-line.md."""

from __future__ import annotations

import argparse
import re

from deltasource._cli.parser import create_parser


def page(text: str) -> str:
    """Return the page with the tables of all commands; the rest of it is written."""
    return re.sub(
        r"(<!-- commands -->\n\n)(?:.*\n)*?(<!-- end of commands -->\n)",
        lambda found: found[1] + "\n".join(_sections()) + "\n" + found[2],
        text,
    )


def _sections() -> list[str]:
    parser = create_parser(None)
    [commands] = [one for one in parser._actions if isinstance(one, argparse._SubParsersAction)]
    summaries = {one.dest: one.help or "" for one in commands._choices_actions}
    return [_section(name, summaries[name], command) for name, command in commands.choices.items()]


def _section(name: str, summary: str, command: argparse.ArgumentParser) -> str:
    rows = [_row(one) for one in command._actions if one.dest != "help"]
    lines = ["| argument | meaning |", "| --- | --- |", *rows]
    return "\n".join(
        [f"### {name}", "", f"{_code(summary[0].upper() + summary[1:])}.", "", *lines, ""]
    )


def _row(argument: argparse.Action) -> str:
    positional = str(argument.metavar or argument.dest)
    name = argument.option_strings[0] if argument.option_strings else positional
    value = argument.metavar or ("" if argument.nargs == 0 else argument.dest.upper())
    if argument.choices:
        value = "\\|".join(map(str, argument.choices))
    shown = f"`{name} {value}`" if argument.option_strings and value else f"`{name}`"
    meaning = (argument.help or "") % {"default": argument.default}
    return f"| {shown} | {_code(meaning)} |"


def _code(text: str) -> str:
    """Put what a user types into code."""
    typed = r"[a-z_]+[<>]\d\w*|sc://\S+|\./\w+|--\w+|schemaTrackingLocation|json_lines|SPARK_HOME"
    return re.sub(
        typed, lambda found: f"`{found[0].rstrip(',')}`" + "," * found[0].count(","), text
    )
