# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Errors over Spark Connect, each in one line: the server is gone, or its file system fails.

Spark passes on the text of gRPC, which has several lines of internals. The text is matched: gRPC
is optional, and Spark's exceptions for a lost connection have no condition.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from deltasource._errors import ConnectError

_RPC: Final = re.compile(
    r'\bstatus = StatusCode\.(?P<status>\w+)\s+details = "(?P<details>.*?)"\s*\n', re.DOTALL
)
_CLOSED: Final = re.compile(
    r"\[(NO_ACTIVE_SESSION|INVALID_HANDLE\.SESSION_\w+)\]|on closed channel"
)
_IO: Final = re.compile(r"\((java\.n?io\.[\w.]+|org\.apache\.hadoop\.[\w.]+)\) ([^\n]*)")
_GAVE_UP: Final = "[RETRIES_EXCEEDED]"
_UNREACHABLE: Final = ("UNAVAILABLE", "DEADLINE_EXCEEDED")


@contextmanager
def named_connect_errors() -> Generator[None, None, None]:
    """Raise ConnectError, with the cause in one line, if the server or the session is gone."""
    try:
        yield
    except Exception as error:
        text = explain(error)
        if text is None:
            raise
        # The text of gRPC says nothing else.
        raise ConnectError(text) from None


@contextmanager
def io_errors() -> Generator[None, None, None]:
    """Raise Java's IOException on a server as OSError: its text begins with its class."""
    try:
        yield
    except Exception as error:
        thrown = _IO.match(str(error))
        if thrown is None:
            raise
        raise OSError(errno.EIO, f"{thrown[1]}: {thrown[2]}") from error


def explain(error: Exception) -> str | None:
    """Return what happened to the connection and what to do; None for another error."""
    text = str(error)
    call = _RPC.search(text)
    status = call["status"] if call else None
    cause = cause_of(error)
    if status in _UNREACHABLE or _GAVE_UP in text:
        return (
            f"the Spark Connect server cannot be reached: {cause}. Start the server, or check the "
            "address of the session"
        )
    if status is not None:
        return f"the Spark Connect server refuses the session: {status}: {cause}"
    if _CLOSED.search(text) is not None:
        return (
            f"the Spark Connect session is closed: {cause}. Create a new one with "
            "`SparkSession.builder.remote(address).create()`"
        )
    return None


def cause_of(error: Exception) -> str:
    """Return the cause in one line: what gRPC calls the details, or the first line of the text."""
    text = str(error).strip()
    call = _RPC.search(text)
    if call is not None:
        text = call["details"].rpartition("last error: ")[2].strip() or call["status"]
    first = (text.splitlines() or [type(error).__name__])[0]
    return first.rstrip(". ")
