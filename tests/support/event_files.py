# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Files of events, as `json_lines` writes them."""

from __future__ import annotations

from pathlib import Path

from deltasource import Event, json_lines


def written(file: Path, *events: Event) -> Path:
    """Append events to a file."""
    sink = json_lines(file)
    for event in events:
        sink(event)
    return file
