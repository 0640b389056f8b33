# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""`backlog`: what a table holds and a checkpoint has not read, and whether that is too much."""

from __future__ import annotations

import argparse
import math
from dataclasses import asdict

from deltasource._commands import rows
from deltasource._commands.gate import MEASURES, gate
from deltasource._commands.outcome import FAILED, FINE, IMPOSSIBLE, Outcome
from deltasource._commands.parser import Commands
from deltasource.checkpoints import Checkpoint
from deltasource.lag import Lag


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "backlog", help="count what a table holds and a checkpoint has not read"
    )
    parser.add_argument("checkpoint", help="the local folder of the checkpoint")
    parser.add_argument("table", help="the local folder of the table")
    parser.add_argument("--source", help="the source that reads the table, where several do")
    parser.add_argument(
        "--fail-if",
        type=gate,
        action="append",
        default=[],
        metavar="CONDITION",
        help="end with 1 if this holds, such as versions>10, bytes>1g or hours_to_data_loss<24; "
        "may be given repeatedly",
    )
    rows.add_format(parser)
    parser.set_defaults(run=_backlog)


def _backlog(given: argparse.Namespace) -> Outcome:
    lag = Checkpoint(given.checkpoint).backlog(given.table, source=given.source)
    verdicts = [(str(condition), condition.holds(lag)) for condition in given.fail_if]
    holding = [text for text, holds in verdicts if holds]
    # A condition that nobody can judge must not pass for one that does not hold.
    unknown = [text for text, holds in verdicts if holds is None]
    answer = rows.written(
        [_row(lag, given.format)],
        form=given.format,
        columns=MEASURES,
        ok=not holding and not unknown,
        holding=holding,
        unknown=unknown,
    )
    notes = (
        *(f"{text} holds" for text in holding),
        *(f"{text} cannot be judged: the number is not known" for text in unknown),
    )
    return Outcome(answer, notes, FAILED if holding else IMPOSSIBLE if unknown else FINE)


def _row(lag: Lag, form: str) -> rows.Row:
    row = asdict(lag)
    if form == "json" and row["hours_to_data_loss"] == math.inf:
        # JSON has no number for it.
        row["hours_to_data_loss"] = None
    return row
