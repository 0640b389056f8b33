# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Whether a local file can be written, before anything is written to it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Final

CANNOT_WRITE: Final = (
    "cannot be written ({}): give a file in a folder that this process may write to"
)
"""What a rule says about a file, with what the system said."""


def is_in_a_folder(path: object) -> bool:
    """Whether this is the path of a file, which need not exist, in a local folder that exists."""
    if not isinstance(path, str | os.PathLike):
        return False
    return Path(path).parent.is_dir() and not Path(path).is_dir()


def append_problem(file: Path) -> str | None:
    """Return why this process can neither append to a file nor create it; None if it can.

    Nothing is changed: a file that does not exist is not created.
    """
    try:
        if not file.exists():
            return create_problem(file.parent)
        # Opening a pipe would wait for its reader.
        if file.is_file():
            file.open("ab").close()
    except OSError as error:
        return error.strerror
    return None


def create_problem(folder: Path) -> str | None:
    """Return why this process cannot create files in a folder; None if it can."""
    try:
        # This file has no name that another process could see.
        tempfile.TemporaryFile(dir=folder).close()
    except OSError as error:
        return error.strerror
    return None
