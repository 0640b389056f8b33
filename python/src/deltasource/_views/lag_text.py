# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A lag in words, for both live views."""

from __future__ import annotations

from deltasource._format import format_count, format_seconds, format_size
from deltasource._lag import Lag


def lag_text(lag: Lag) -> str:
    """Return what is known of a lag: 3 versions, 12 files, 1.0 MiB, 2 min behind."""
    if lag.versions == 0 and not lag.files:
        return "caught up"
    parts = [
        None if lag.versions is None else _counted(lag.versions, "version"),
        None if lag.files is None else _counted(lag.files, "file"),
        None if lag.bytes is None else format_size(lag.bytes),
        None if lag.seconds is None else format_seconds(lag.seconds),
    ]
    return f"{', '.join(part for part in parts if part)} behind"


def _counted(number: int, noun: str) -> str:
    return f"{format_count(number)} {noun}{'' if number == 1 else 's'}"
