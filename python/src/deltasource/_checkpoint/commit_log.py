# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The files of the commit log: a version, and a line of JSON, which Spark reads when it restarts.

Only the latest is read. That a file exists says that its batch is done.
"""

from __future__ import annotations

import json
import re
from typing import Final

from deltasource._checkpoint.offset_log import OR_NEW_CHECKPOINT
from deltasource._checkpoint.paths import ReadablePath, unreadable
from deltasource._errors import CheckpointError
from deltasource._text import short_repr

_VERSION: Final = re.compile(r"v[1-9][0-9]*")


def require_readable(file: ReadablePath) -> None:
    """Raise CheckpointError if Spark cannot restart with this file, or if it cannot be read."""
    try:
        lines = file.read_text("utf-8").removesuffix("\n").split("\n")
    except FileNotFoundError:
        return  # The query that runs with the checkpoint has deleted it.
    except OSError as error:
        raise unreadable(CheckpointError, file, error) from error
    except UnicodeDecodeError as error:
        raise _damaged(file, str(error)) from error
    if not _VERSION.fullmatch(lines[0]):
        raise _damaged(file, f"its first line must be a version such as v1, got {lines[0][:40]!r}")
    try:
        is_object = isinstance(json.loads(lines[1] if lines[1:] else "{}"), dict)
    except (ValueError, RecursionError):
        is_object = False
    if not is_object:
        raise _damaged(file, f"{short_repr(lines[1])} is truncated or not a JSON object")


def _damaged(file: ReadablePath, why: str) -> CheckpointError:
    return CheckpointError(
        f"cannot read {file}: {why}. Its batch is committed, so stop the query and restore the "
        f"file from a copy, {OR_NEW_CHECKPOINT}"
    )
