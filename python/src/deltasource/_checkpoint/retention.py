# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""How long a table keeps the commits of its log and removed data files, from its properties.

The properties and their defaults are Delta's: `delta.logRetentionDuration`, "interval 30 days",
`delta.enableExpiredLogCleanup`, true, and `delta.deletedFileRetentionDuration`, "interval 1 week".
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

from deltasource._intervals import parse_interval
from deltasource._text import parse_bool

DURATION: Final = "delta.logRetentionDuration"
CLEANUP: Final = "delta.enableExpiredLogCleanup"
DEFAULT: Final = "interval 30 days"
FILE_DURATION: Final = "delta.deletedFileRetentionDuration"
FILE_DEFAULT: Final = "interval 1 week"


def retention(properties: Mapping[str, str]) -> float | None:
    """Return for how many seconds commits are kept: infinity if cleanup is off, None if unknown."""
    if parse_bool(properties.get(CLEANUP, "true")) is False:
        return math.inf
    return parse_interval(properties.get(DURATION, DEFAULT))


def file_retention(properties: Mapping[str, str]) -> float | None:
    """Return for how many seconds VACUUM keeps removed files by default, None if unknown."""
    return parse_interval(properties.get(FILE_DURATION, FILE_DEFAULT))
