# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The commands of deltasource: `python -m deltasource COMMAND --help`.

Results are printed to standard output (only JSON with --format json), messages to standard error.
The exit code is 0 on success, 1 if a check failed or a condition is true, 2 for wrong arguments, 3
if the command failed; then a message says why.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from deltasource._cli.command import (
    ERROR,
    SUCCESS,
    CommandResult,
    exit_code,
    with_flags,
)
from deltasource._cli.parser import create_parser
from deltasource._errors import DeltaSourceError, OptionsError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    code = SUCCESS
    try:
        try:
            result = _run(create_parser(__doc__).parse_args(arguments))
            code = result.exit_code
            _print(result)
        finally:
            # Here, and not when the interpreter ends, which prints a traceback.
            sys.stdout.flush()
    except BrokenPipeError:
        # A reader such as `head` has what it wants.
        _discard_output()
    except OSError as error:
        print(f"cannot write the output: {error.strerror}", file=sys.stderr)
        _discard_output()
        code = ERROR
    return code


def _run(given: argparse.Namespace) -> CommandResult:
    try:
        result: CommandResult = given.run(given)
    except BrokenPipeError:
        raise
    except OptionsError as error:
        return CommandResult("", (str(with_flags(error)),), exit_code(error))
    except (DeltaSourceError, OSError) as error:
        return CommandResult("", (str(error),), ERROR)
    return result


def _print(result: CommandResult) -> None:
    if result.output:
        print(_printable(result.output))
    for message in result.messages:
        print(message, file=sys.stderr)


def _discard_output() -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())


def _printable(text: str) -> str:
    # JSON may contain half a surrogate pair, which no terminal or file can encode.
    return text.encode(errors="backslashreplace").decode()


if __name__ == "__main__":
    sys.exit(main())
