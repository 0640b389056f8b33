# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""How far behind a table a stream is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Lag:
    """What a table holds and a stream has not read, by its checkpoint or by its progress.

    `Checkpoint.backlog` counts it in the log of the table, `Progress` has it from the source, which
    leaves out what it does not know. None is what is not known, of any number:

    versions  commits that were not read to their end, the half-read one included; 0: none. Always
              known of a checkpoint
    files     files that these commits add and that were not read, without those that changed no
              data, counted as a stream of rows does; a change feed reads other files of a commit.
              A checkpoint does not know it where commits were cleaned up, and inside the initial
              snapshot
    bytes     the size of these files; not known as above
    seconds   for how long the oldest of these commits has been there: its own commit time where it
              says one, the time of its file otherwise; 0.0 where nothing is to be read, not known
              where that commit was cleaned up
    hours_to_data_loss
              for how long at least Delta keeps the oldest of these commits: its time and the
              table's `delta.logRetentionDuration`, by default 30 days, less the present; 0.0 where
              it was cleaned up already, all of the retention where nothing is to be read, infinity
              where `delta.enableExpiredLogCleanup` is false. A lower bound, since commits are
              cleaned up by whole days and only behind a checkpoint; VACUUM may take files away
              earlier. Not known of a progress, where only a Parquet checkpoint has the table's
              properties, and where the commit of an initial snapshot was cleaned up
    """

    versions: int | None
    files: int | None
    bytes: int | None
    seconds: float | None
    hours_to_data_loss: float | None = None
