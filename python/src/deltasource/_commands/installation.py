# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""`jar`, `doctor` and `submit-args`: what is installed, and how to start Spark with it."""

from __future__ import annotations

import argparse
from dataclasses import asdict

from deltasource import doctor, jar_path
from deltasource._commands import rows
from deltasource._commands.outcome import FAILED, FINE, Outcome
from deltasource._commands.parser import Commands
from deltasource.session import submit_flags


def add(commands: Commands) -> None:
    """Declare the commands."""
    jar = commands.add_parser("jar", help="print the path of the jar, for spark-submit --jars")
    jar.set_defaults(run=_jar)
    submit = commands.add_parser(
        "submit-args", help="print the arguments of spark-submit that put the jar in front"
    )
    submit.set_defaults(run=_submit)
    examine = commands.add_parser(
        "doctor", help="examine Java, PySpark, the jar, and say what to change"
    )
    rows.add_format(examine)
    examine.set_defaults(run=_doctor)


def _jar(_: argparse.Namespace) -> Outcome:
    return Outcome(str(jar_path()))


def _submit(_: argparse.Namespace) -> Outcome:
    return Outcome(submit_flags(jar_path()))


def _doctor(given: argparse.Namespace) -> Outcome:
    report = doctor()
    found = [asdict(row) for row in report.rows]
    columns = ("check", "status", "found", "fix")
    answer = (
        str(report)
        if given.format == "text"
        else rows.written(found, form=given.format, columns=columns, ok=report.ok)
    )
    return Outcome(answer, code=FINE if report.ok else FAILED)
