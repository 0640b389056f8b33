# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The queries of another client's session on a Spark Connect server.

They are polled: a session has one stream of listener events, which belongs to its own client.
"""

from __future__ import annotations

import importlib.util
import re
import socket
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, cast
from urllib.parse import urlsplit

from deltasource._errors import ConnectError, DeltaSourceError, OptionsError
from deltasource._invalid_option import InvalidOption
from deltasource._monitor.events import Event
from deltasource._monitor.recorder import Recorder
from deltasource._session.connect_errors import cause_of
from deltasource._session.extras import missing_library

ADDRESS_ALLOWED: Final = (
    "must be an address such as sc://host:15002/;session_id=...;user_id=... with the ids of the "
    "session to watch: Spark Connect shows only the queries of a session"
)

_SCHEME: Final = "sc://"
_PORT: Final = 15002
_SECONDS: Final = 5.0
_SESSION: Final = re.compile(r";session_id=[^;]+")


def is_address(source: str) -> bool:
    """Whether this is an address of Spark Connect rather than a file."""
    return source.startswith(_SCHEME)


@dataclass(frozen=True)
class _Ended:
    """The end of a query, with the fields of Spark's event that are read."""

    id: str
    runId: str  # noqa: N815 - Spark's name
    name: str | None
    exception: str | None
    errorClassOnException: None = None  # noqa: N815


class ConnectQueries:
    """What the queries of a session have reported since the last call of `poll`.

    The session is joined, not changed: no listener is added, and it is not released in the end.

    Args:
        address: The address of the server, with the ids of the session and its user.

    Raises:
        OptionsError: The address has no session id.
        ConnectError: The server cannot be reached, or refuses the session.
        MissingLibraryError: PySpark or its part for Spark Connect is not installed.
    """

    def __init__(self, address: str) -> None:
        # The rest of the address may contain a token.
        self._shown = address.partition(";")[0]
        self.note = ""
        self._host, self._port = _host_and_port(address, self._shown)
        self._active: dict[str, Any] = {}
        self._events: list[Event] = []
        self._recorder = Recorder(keep=1, forward=self._events.append)
        self._spark = self._connected(address)

    def poll(self) -> Sequence[Event]:
        """Return the new events; ConnectError if the server cannot be reached."""
        self._require_reachable()
        with self._server_errors():
            active = {str(query.runId): query for query in self._spark.streams.active}
            for query in active.values():
                self._poll_query(query)
            for run in self._active.keys() - active.keys():
                self._recorder.ended(_ended(self._active[run]))
        self._active = active
        found = list(self._events)
        self._events.clear()
        return found

    def close(self) -> None:
        """Close the connection. The session, which is another client's, stays."""
        with self._server_errors():
            self._spark.client.close()

    def _poll_query(self, query: Any) -> None:
        self._recorder.found(query)
        latest = query.lastProgress
        if latest is not None and not self._recorder.knows(latest):
            self._recorder.record_missed(query.recentProgress)

    def _connected(self, address: str) -> Any:
        if any(importlib.util.find_spec(name) is None for name in ("pyspark", "grpc")):
            raise missing_library("PySpark for Spark Connect", extra="connect")
        self._require_reachable()
        from pyspark.sql import SparkSession

        with self._server_errors():
            spark = cast(Any, SparkSession.builder.remote(address)).create()
            # The session is looked up only now.
            spark.streams.active  # noqa: B018
            return spark

    def _require_reachable(self) -> None:
        # Spark itself tries again for minutes.
        try:
            socket.create_connection((self._host, self._port), timeout=_SECONDS).close()
        except OSError as error:
            raise ConnectError(
                f"{self._shown} cannot be reached: {error}. Start the server, or check the host "
                "and the port"
            ) from error

    @contextmanager
    def _server_errors(self) -> Generator[None, None, None]:
        try:
            yield
        except DeltaSourceError:
            raise
        except Exception as error:
            raise ConnectError(f"{self._shown} refuses the session: {cause_of(error)}") from error


def _host_and_port(address: str, shown: str) -> tuple[str, int]:
    try:
        parts = urlsplit(f"http://{shown.removeprefix(_SCHEME)}")
        host, port = parts.hostname, parts.port or _PORT
    except ValueError:
        host, port = None, 0
    if not host or not _SESSION.search(address):
        raise OptionsError([InvalidOption("address", repr(shown), ADDRESS_ALLOWED)])
    return host, port


def _ended(query: Any) -> Any:
    """Ask a query that is no longer active how it ended."""
    error = query.exception()
    text = None if error is None else str(error).removeprefix("(STREAM_FAILED) ")
    return _Ended(str(query.id), str(query.runId), query.name, text)
