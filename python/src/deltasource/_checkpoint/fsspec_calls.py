# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Calls of fsspec's libraries: within a time limit, and with every error as OSError."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from threading import Thread
from typing import Final, TypeVar

T = TypeVar("T")

TIME_LIMIT: Final = 60.0
"""How long one call may take, in seconds. The libraries retry for much longer."""

_LONGEST: Final = 300
_ERRNOS: Final[Mapping[type[OSError], int]] = {
    FileNotFoundError: errno.ENOENT,
    NotADirectoryError: errno.ENOTDIR,
    PermissionError: errno.EACCES,
}


def call_store(action: Callable[[], T]) -> T:
    """Run a call in the background, and raise what it raises as OSError with a text.

    Raises TimeoutError, which is an OSError, if the call takes too long; it is then left alone.
    """
    found: Future[T] = Future()

    def run() -> None:
        try:
            found.set_result(action())
        except Exception as error:
            found.set_exception(error)

    # A thread that still waits must not keep the process from ending.
    thread = Thread(target=run, name="deltasource-fsspec", daemon=True)
    thread.start()
    thread.join(TIME_LIMIT)
    if not found.done():
        raise TimeoutError(errno.ETIMEDOUT, f"no answer within {TIME_LIMIT:g} s")
    try:
        return found.result()
    except Exception as error:
        raise OSError(_errno(error), one_line(error)) from error


def _errno(error: Exception) -> int:
    if _is_missing_bucket(error):
        # Otherwise the path would just seem to be empty.
        return errno.EIO
    known = (number for kind, number in _ERRNOS.items() if isinstance(error, kind))
    own = error.errno if isinstance(error, OSError) else None
    return next(known, own or errno.EIO)


def _is_missing_bucket(error: Exception) -> bool:
    """Whether S3 says so; s3fs raises the same error as for a missing object."""
    response = getattr(error.__cause__, "response", None)
    return isinstance(response, dict) and response.get("Error", {}).get("Code") == "NoSuchBucket"


def one_line(error: Exception) -> str:
    """Return the message of an error as one short line, without a dot at its end."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    line = re.sub(r"\s+", " ", text).strip().rstrip(".") or type(error).__name__
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."
