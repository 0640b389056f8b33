# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""How far behind a table a stream is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Lag:
    """What a table holds and a checkpoint has not read.

    versions  commits that were not read to their end, the half-read one included; 0: none
    files     files that these commits add and that were not read, without those that changed no
              data, counted as a stream of rows does; a change feed reads other files of a commit.
              None where commits were cleaned up, and inside the initial snapshot
    bytes     the size of these files; None as above
    seconds   for how long the oldest of these commits has been there: its own commit time where it
              says one, the time of its file otherwise; 0.0 where nothing is to be read, None where
              that commit was cleaned up
    """

    versions: int
    files: int | None
    bytes: int | None
    seconds: float | None
