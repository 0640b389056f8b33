# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The files of a table that an action of its log refers to: a data file, a deletion vector.

They are named by their paths in the folder of the table. A file outside of it, such as those of a
shallow clone, has a URI or an absolute path instead.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from urllib.parse import unquote
from uuid import UUID

from deltasource._checkpoint.paths import ReadablePath, unreadable
from deltasource._errors import LogReadError

# The first character of an absolute path, or the scheme of a URI.
_OUTSIDE: Final = re.compile(r"/|[A-Za-z][\w+.-]*:")
_UUID_LENGTH: Final = 20
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"
# Z85, the form of a UUID in the log, has the digits of Python's Base85 in another order.
_FROM_Z85: Final = str.maketrans(
    f"0123456789{_LETTERS}{_LETTERS.upper()}.-:+=^!/*?&<>()[]{{}}@%$#",
    f"0123456789{_LETTERS.upper()}{_LETTERS}!#$%&()*+-;<=>?@^_`{{|}}~",
)


def stored_files(action: Mapping[str, Any]) -> Sequence[str]:
    """Return the files of an action that adds or removes a data file.

    Raises KeyError, TypeError or ValueError if the action is damaged.
    """
    vector = action.get("deletionVector")
    stored = None if vector is None else _vector_file(vector["storageType"], vector)
    name = _name(action["path"])
    return (name,) if stored is None else (name, stored)


def _name(path: str) -> str:
    """Return the name of a file; its path in the log is a URI, so it is encoded."""
    if _OUTSIDE.match(path):
        return path
    name = unquote(path)
    return f"./{name}" if _OUTSIDE.match(name) else name


def _vector_file(storage_type: str, vector: Mapping[str, Any]) -> str | None:
    """Return the file of a deletion vector; None if it is in the log itself."""
    if storage_type == "p":
        return _name(vector["pathOrInlineDv"])
    if storage_type != "u":
        return None
    text: str = vector["pathOrInlineDv"]
    folder, encoded = text[:-_UUID_LENGTH], text[-_UUID_LENGTH:]
    uuid = UUID(bytes=base64.b85decode(encoded.translate(_FROM_Z85)))
    return f"{folder}/deletion_vector_{uuid}.bin".removeprefix("/")


def is_in_table(name: str) -> bool:
    """Whether a file is in the folder of its table."""
    return _OUTSIDE.match(name) is None


def first_missing(table: ReadablePath, names: Iterable[str]) -> str | None:
    """Return the path of the first file that does not exist, or None; one request for each.

    Raises LogReadError if the file system fails.
    """
    paths = (table / name for name in names)
    return next((str(path) for path in paths if not _exists(path)), None)


def _exists(path: ReadablePath) -> bool:
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        # ValueError: no file can have this name, for example because of a NUL.
        return False
    except OSError as error:
        raise unreadable(LogReadError, path, error) from error
    return True
