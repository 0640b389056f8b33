# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The commands: `python -m deltasource doctor` and `python -m deltasource jar`.

They end with 0 when all is well, 1 when a check failed, 2 when called wrongly, 3 when this
installation cannot do it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from deltasource import DeltaSourceError, doctor, jar_path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and answer the exit code."""
    given = _parser().parse_args(arguments)
    try:
        return _jar() if given.command == "jar" else _doctor(given.format)
    except DeltaSourceError as error:
        print(error, file=sys.stderr)
        return 3


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="deltasource", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("jar", help="print the path of the jar, for spark-submit --jars")
    examine = commands.add_parser(
        "doctor", help="examine Java, PySpark, the jar, and say what to change"
    )
    examine.add_argument("--format", choices=("text", "json"), default="text")
    return parser


def _jar() -> int:
    print(jar_path())
    return 0


def _doctor(form: str) -> int:
    report = doctor()
    print(json.dumps(report.to_dict(), indent=2) if form == "json" else report)
    return 0 if report.ok else 1


if __name__ == "__main__":
    sys.exit(main())
