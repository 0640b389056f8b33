# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The command `report`."""

from __future__ import annotations

import argparse
from pathlib import Path

from deltasource._cli.backlog import table_folder
from deltasource._cli.command import ERROR, SUCCESS, CommandResult, Commands, path
from deltasource._report.gather import Sources
from deltasource._report.page_file import write_page


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "report",
        help="write an HTML page about the life of a stream (needs the extra `report`)",
    )
    parser.add_argument("checkpoint", type=path, help="the folder of the checkpoint, or a URI")
    parser.add_argument(
        "table",
        nargs="?",
        type=table_folder,
        help="optional: the folder of the table, such as ./orders, or a URI",
    )
    parser.add_argument("--events", type=path, metavar="FILE", help="a file that json_lines writes")
    parser.add_argument("--to", metavar="FILE", default="report.html", help="default: report.html")
    parser.add_argument("--source", help="the source that reads the table, if there are several")
    parser.add_argument(
        "--change-feed",
        action="store_true",
        help="set this if the query reads the table's change feed; the checkpoint does not record "
        "that",
    )
    parser.set_defaults(run=_report)


def _report(given: argparse.Namespace) -> CommandResult:
    if given.events is not None and not Path(given.events).exists():
        raise FileNotFoundError(
            f"the file of events, {given.events}, does not exist: check --events"
        )
    page = write_page(
        Sources(
            checkpoint=given.checkpoint,
            table=given.table,
            events=given.events,
            source=given.source,
            change_feed=given.change_feed,
            spark=None,
        ),
        given.to,
    )
    code = ERROR if page.lacks_table else SUCCESS
    return CommandResult(str(page.path), tuple(page.warnings), code)
