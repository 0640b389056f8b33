# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Errors of Spark Connect clients that have lost their server or their session."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import deltasource
from deltasource import ConnectError
from deltasource._session.connect_errors import cause_of, explain


def rpc(status: str, details: str) -> str:
    """Return the text of a failed call, as gRPC writes it."""
    return (
        "<_MultiThreadedRendezvous of RPC that terminated with:\n"
        f"\tstatus = StatusCode.{status}\n"
        f'\tdetails = "{details}"\n'
        f'\tdebug_error_string = "{status}:{details}"\n>'
    )


REFUSED = rpc(
    "UNAVAILABLE",
    "failed to connect to all addresses; last error: UNKNOWN: ipv4:127.0.0.1:1: Failed to connect "
    "to remote host: Connection refused",
)
CLOSED = "[INVALID_HANDLE.SESSION_CLOSED] The handle 5f0c is invalid. Session was closed. "
UNREACHABLE = "the Spark Connect server cannot be reached: "
START = ". Start the server, or check the address of the session"
ENDED = "the Spark Connect session is closed: "
CREATE = ". Create a new one with `SparkSession.builder.remote(address).create()`"
MESSAGES = {
    REFUSED: f"{UNREACHABLE}UNKNOWN: ipv4:127.0.0.1:1: Failed to connect to remote host: "
    f"Connection refused{START}",
    rpc("UNAVAILABLE", ""): f"{UNREACHABLE}UNAVAILABLE{START}",
    rpc("UNAVAILABLE", "Socket closed\nretry"): f"{UNREACHABLE}Socket closed{START}",
    "[RETRIES_EXCEEDED] The maximum number of retries has been exceeded.": f"{UNREACHABLE}"
    f"[RETRIES_EXCEEDED] The maximum number of retries has been exceeded{START}",
    rpc("UNAUTHENTICATED", "Invalid token"): "the Spark Connect server refuses the session: "
    "UNAUTHENTICATED: Invalid token",
    f"{CLOSED}\n\nJVM stacktrace:\norg.apache.spark": f"{ENDED}{CLOSED.rstrip('. ')}{CREATE}",
    "[NO_ACTIVE_SESSION] No active Spark session found.": f"{ENDED}[NO_ACTIVE_SESSION] No active "
    f"Spark session found{CREATE}",
    "Cannot invoke RPC on closed channel!": f"{ENDED}Cannot invoke RPC on closed channel!{CREATE}",
}


def session(error: Exception) -> Any:
    """Return a fake Spark Connect session whose calls fail."""

    def sql(_: str) -> Any:
        raise error

    return SimpleNamespace(sql=sql)


@pytest.mark.parametrize(("text", "message"), MESSAGES.items())
def test_a_lost_connection_is_reported_in_one_line(text: str, message: str) -> None:
    """The error has the cause and what to do, and nothing of gRPC."""
    with pytest.raises(ConnectError) as error:
        deltasource.attach(session(RuntimeError(text)))
    assert error.value.args == (message,)
    assert error.value.__suppress_context__


def test_another_error_is_left_as_it_is() -> None:
    """An error of a query is not one of the connection."""
    failure = RuntimeError("[DIVIDE_BY_ZERO] Division by zero.")
    assert explain(failure) is None
    with pytest.raises(RuntimeError, match="DIVIDE_BY_ZERO"):
        deltasource.attach(session(failure))


def test_an_error_without_a_text_has_the_name_of_its_class() -> None:
    """There is always a cause to show."""
    assert cause_of(SilentError()) == "SilentError"


class SilentError(Exception):
    """An error without a text."""
