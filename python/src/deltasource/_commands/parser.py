# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The parser of all commands, and the types of their arguments."""

from __future__ import annotations

import argparse
from typing import Protocol


class Commands(Protocol):
    """Where commands are declared; argparse has no public name for it."""

    def add_parser(self, name: str, *, help: str) -> argparse.ArgumentParser:  # noqa: A002 - its word
        """Declare one."""
        ...


def parser(description: str | None) -> argparse.ArgumentParser:
    """Answer the parser; `run` of what it parses is the command."""
    from deltasource._commands import backlog, installation, offsets, schema_log

    whole = argparse.ArgumentParser(
        prog="deltasource",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = whole.add_subparsers(dest="command", required=True)
    for topic in (installation, offsets, schema_log, backlog):
        topic.add(commands)
    return whole


def count(text: str) -> int:
    """Read a whole number above 0."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)
