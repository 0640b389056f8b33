# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The command `backlog`, which can fail if a checkpoint is too far behind."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Final

from deltasource._checkpoint.checkpoint import Checkpoint
from deltasource._cli import table
from deltasource._cli.command import (
    CHECK_FAILED,
    ERROR,
    SUCCESS,
    CommandResult,
    Commands,
    path,
)
from deltasource._cli.threshold import MEASURES, parse_thresholds
from deltasource._lag import DataLossLimit, Lag
from deltasource._text import is_path

_HOURS: Final = "hours_to_data_loss"
_LIMITS: Final[Mapping[DataLossLimit, str]] = {
    "log": "the log (delta.logRetentionDuration)",
    "data_files": "the data files (delta.deletedFileRetentionDuration, or the latest VACUUM)",
}


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "backlog", help="print how much of a table the query of a checkpoint has not read yet"
    )
    parser.add_argument("checkpoint", type=path, help="the folder of the checkpoint, or a URI")
    parser.add_argument(
        "table", type=table_folder, help="the folder of the table, such as ./orders, or a URI"
    )
    parser.add_argument("--source", help="the source that reads the table, if there are several")
    parser.add_argument(
        "--fail-if",
        action="append",
        default=[],
        metavar="CONDITION",
        help="exit with 1 if this is true, such as versions>10, bytes>1g or hours_to_data_loss<24: "
        "a column, one of > >= < <= ==, and a number or, for bytes, a size; give it several times "
        "for several conditions",
    )
    parser.add_argument(
        "--change-feed",
        action="store_true",
        help="set this if the query reads the table's change feed; the checkpoint does not record "
        "that",
    )
    table.add_format(parser)
    parser.set_defaults(run=partial(_backlog, parser))


def table_folder(text: str) -> str:
    """Parse the folder of a table."""
    return text if is_path(path(text)) else f"./{text}"


def _backlog(parser: argparse.ArgumentParser, given: argparse.Namespace) -> CommandResult:
    # Not by argparse, which stops at the first mistake.
    try:
        conditions = parse_thresholds(given.fail_if)
    except ValueError as error:
        parser.error(f"argument --fail-if: {error}")
    lag = Checkpoint(given.checkpoint).backlog(
        given.table, source=given.source, change_feed=given.change_feed
    )
    results = [(str(condition), condition.is_crossed(lag)) for condition in conditions]
    holding = [text for text, crossed in results if crossed]
    # A condition that cannot be evaluated must not count as false.
    unknown = [text for text, crossed in results if crossed is None]
    output = table.format_rows(
        [_record(lag, given.format)],
        output_format=given.format,
        columns=(*MEASURES, "lost_file", "data_loss_limit"),
        text_columns=MEASURES,
        ok=not holding and not unknown,
        holding=holding,
        unknown=unknown,
    )
    messages = (
        *_lost(lag),
        *(f"{text} is true" for text in holding),
        *(_limit(lag) if any(text.startswith(_HOURS) for text in holding) else ()),
        *(f"{text} cannot be evaluated: {_why_unknown(text)}" for text in unknown),
    )
    return CommandResult(
        output, messages, CHECK_FAILED if holding else ERROR if unknown else SUCCESS
    )


def _why_unknown(condition: str) -> str:
    if condition.startswith(("files", "bytes")):
        return (
            "the value is unknown inside the initial snapshot, and if a commit was cleaned up. "
            "The number of versions is always known"
        )
    return "the value is unknown"


def _lost(lag: Lag) -> tuple[str, ...]:
    if lag.lost_file is None:
        return ()
    return (
        "a file that was not read yet is gone, probably deleted by VACUUM:",
        f"  {lag.lost_file}",
        "restore it from a copy, or start with a new checkpoint and a new or emptied target",
    )


def _limit(lag: Lag) -> tuple[str, ...]:
    if lag.data_loss_limit is None or lag.lost_file is not None:
        return ()
    return (f"{_HOURS} comes from {_LIMITS[lag.data_loss_limit]}",)


def _record(lag: Lag, output_format: str) -> table.Record:
    row = asdict(lag)
    if output_format == "json" and row[_HOURS] == math.inf:
        # JSON cannot represent infinity.
        row[_HOURS] = None
    return row
