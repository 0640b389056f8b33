# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Whether a local file can be written, before anything is written to it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from deltasource._options.validation import Rule

FILE_ALLOWED: Final = "must be a file in a local folder that exists"
CANNOT_WRITE: Final = (
    "cannot be written ({}): give a file in a folder that this process may write to"
)
"""What a rule says about a file, with what the system said."""


def file_rule(argument: str, path: object, allowed: str = FILE_ALLOWED) -> Rule:
    """Return the rule for a file, which need not exist, in a local folder that exists."""
    if not isinstance(path, str | os.PathLike):
        return argument, path, False, allowed
    folder, problem = Path(path).parent, ""
    if Path(path).is_dir():
        problem = ", and this is a folder"
    elif not folder.is_dir():
        problem = f", and {folder} {'is a file' if folder.exists() else 'does not exist'}"
    return argument, path, problem == "", f"{allowed}{problem}"


def writable_rule(
    argument: str,
    path: str | os.PathLike[str],
    problem: Callable[[Path], str | None],
    allowed: str = FILE_ALLOWED,
) -> Rule:
    """Return the rule for a file that must be writable, which `problem` tries."""
    rule = file_rule(argument, path, allowed)
    if not rule[2]:
        return rule
    found = problem(Path(path))
    return argument, path, found is None, CANNOT_WRITE.format(found)


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
