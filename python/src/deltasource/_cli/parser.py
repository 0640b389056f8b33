# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The argument parser of all commands."""

from __future__ import annotations

import argparse

from deltasource._cli import (
    backlog,
    explain_error,
    installation,
    offsets,
    report,
    schema_log,
    watch,
)
from deltasource._cli.suggesting_parser import SuggestingParser
from deltasource._session.bundle import package_version


def create_parser(description: str | None) -> argparse.ArgumentParser:
    """Create the parser; `run` of its result is the function of the command."""
    parser = SuggestingParser(
        prog="deltasource",
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {package_version()}")
    commands = parser.add_subparsers(dest="command", required=True)
    for topic in (installation, offsets, schema_log, backlog, report, watch, explain_error):
        topic.add(commands)
    return parser
