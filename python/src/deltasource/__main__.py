# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The commands of deltasource, for a shell: `python -m deltasource COMMAND --help`.

What was asked for goes to standard output, with --format json nothing but JSON; messages go to
standard error. A command ends with 0 when all is well, 1 when a check failed or a condition holds,
2 when it was called wrongly, 3 when it cannot be done: the message says why.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from deltasource._commands.outcome import IMPOSSIBLE, Outcome
from deltasource._commands.parser import parser
from deltasource.errors import DeltaSourceError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and answer the exit code."""
    given = parser(__doc__).parse_args(arguments)
    try:
        outcome: Outcome = given.run(given)
    except (DeltaSourceError, OSError) as error:
        print(error, file=sys.stderr)
        return IMPOSSIBLE
    if outcome.answer:
        print(_printable(outcome.answer))
    for note in outcome.notes:
        print(note, file=sys.stderr)
    return outcome.code


def _printable(text: str) -> str:
    # JSON can say half a character; no terminal or file can.
    return text.encode(errors="backslashreplace").decode()


if __name__ == "__main__":
    sys.exit(main())
