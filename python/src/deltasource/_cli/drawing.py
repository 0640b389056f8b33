# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Draws output on a terminal with rich, which is optional."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Any


def can_draw() -> bool:
    """Whether the output is a terminal, and rich is installed."""
    return sys.stdout.isatty() and find_spec("rich") is not None


def drawn(renderable: Any) -> str:
    """Draw something of rich in the width of the terminal."""
    from rich.console import Console

    console = Console()
    with console.capture() as captured:
        console.print(renderable)
    return captured.get().rstrip("\n")
