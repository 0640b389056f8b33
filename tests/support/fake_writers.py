# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A streaming DataFrame whose writer only records its calls."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import deltasource
from support.fake_writer import Writer


@dataclass
class Frame:
    """A fake streaming DataFrame that can only be written."""

    sparkSession: object = None  # noqa: N815 - Spark's name
    writeStream: Writer = field(default_factory=Writer)  # noqa: N815 - Spark's name


def written(table: str | Path, **arguments: Any) -> Any:
    """Write to a table, and return the recorded calls."""
    frame: Any = Frame()
    return deltasource.write_stream(frame, table, **arguments)
