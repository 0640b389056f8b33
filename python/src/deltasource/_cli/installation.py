# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The commands `jar`, `doctor` and `submit-args`."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from urllib.parse import urlsplit

from deltasource._cli import table
from deltasource._cli.command import CHECK_FAILED, SUCCESS, CommandResult, Commands
from deltasource._session.bundle import jar_path
from deltasource._session.command_lines import needs_no_quotes, substituted_flags
from deltasource._session.doctor import doctor
from deltasource._session.spark_lines import line_of, supported


def add(commands: Commands) -> None:
    """Declare the commands."""
    jar = commands.add_parser("jar", help="print the path of the jar, for spark-submit --jars")
    _add_spark(jar)
    jar.set_defaults(run=_jar)
    submit = commands.add_parser(
        "submit-args",
        help="print the arguments for spark-submit that put the jar first; the application must "
        "still call `deltasource.configure`",
    )
    _add_spark(submit)
    submit.add_argument(
        "--jars",
        type=_jars,
        metavar="PATHS",
        help="jars of your own, separated by commas as in spark-submit, which takes only one "
        "`--jars`",
    )
    submit.set_defaults(run=_submit)
    examine = commands.add_parser(
        "doctor", help="check Java, Spark and the jar, and print how to fix any problem"
    )
    table.add_format(examine)
    examine.set_defaults(run=_doctor)


def _add_spark(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--spark",
        type=_supported,
        metavar="VERSION",
        help=f"the version of Spark to get the jar for, one of {supported()}; default: the Spark "
        "in SPARK_HOME, or else in PySpark",
    )


def _supported(text: str) -> str:
    if line_of(text) is None:
        raise argparse.ArgumentTypeError(
            f"must be Spark {supported('or')}, which this package has jars for, got {text!r}"
        )
    return text


def _jars(text: str) -> str:
    if not all(text.split(",")):
        raise argparse.ArgumentTypeError(f"must be paths separated by commas, got {text!r}")
    if not needs_no_quotes(text):
        raise argparse.ArgumentTypeError(
            f"must be paths that a shell does not split, without spaces and quotes, got {text!r}"
        )
    missing = [one for one in text.split(",") if _is_local(one) and not Path(one).exists()]
    if missing:
        raise argparse.ArgumentTypeError(f"must be jars that exist, got {', '.join(missing)}")
    return text


def _is_local(jar: str) -> bool:
    return not urlsplit(jar).scheme


def _jar(given: argparse.Namespace) -> CommandResult:
    return CommandResult(str(jar_path(given.spark)))


def _submit(given: argparse.Namespace) -> CommandResult:
    return CommandResult(substituted_flags(jar_path(given.spark), given.jars))


def _doctor(given: argparse.Namespace) -> CommandResult:
    report = doctor()
    found = [asdict(row) for row in report.rows]
    columns = ("check", "status", "found", "fix")
    output = (
        str(report)
        if given.format == "text"
        else table.format_rows(found, output_format=given.format, columns=columns, ok=report.ok)
    )
    return CommandResult(output, exit_code=SUCCESS if report.ok else CHECK_FAILED)
