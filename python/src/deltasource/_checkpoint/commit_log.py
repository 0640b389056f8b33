# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The files of the commit log: a version, and a line of JSON, which Spark reads when it restarts.

Only the latest is read. That a file exists says that its batch is done.
"""

from __future__ import annotations

import json
import re
from typing import Final

from deltasource._checkpoint import offset_log
from deltasource._checkpoint.paths import ReadablePath
from deltasource._text import short_repr

_ADVICE: Final = (
    "Stop the query and restore the file from a copy, or delete it: the query then repeats the "
    "batch, and a Delta table that has it already skips it"
)
_VERSION: Final = re.compile(r"v[1-9][0-9]*")


def require_readable(file: ReadablePath) -> None:
    """Raise CheckpointError if Spark cannot restart with this file, or if it cannot be read."""
    try:
        lines = offset_log.read_lines(file)
    except FileNotFoundError:
        return  # The query that runs with the checkpoint has deleted it.
    if not _VERSION.fullmatch(lines[0]):
        why = f"its first line must be a version such as v1, got {short_repr(lines[0])}"
        raise offset_log.damaged(file, why, _ADVICE)
    try:
        is_object = isinstance(json.loads(lines[1] if lines[1:] else "{}"), dict)
    except (ValueError, RecursionError):
        is_object = False
    if not is_object:
        why = f"{short_repr(lines[1])} is truncated or not a JSON object"
        raise offset_log.damaged(file, why, _ADVICE)
