# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Metrics that Prometheus scrapes over HTTP, with the library prometheus_client."""

from __future__ import annotations

import errno
import socket
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from deltasource._errors import OptionsError
from deltasource._invalid_option import InvalidOption
from deltasource._monitor.event_sinks import CLOSED
from deltasource._monitor.events import Event
from deltasource._monitor.prometheus_metrics import PrometheusMetrics
from deltasource._monitor.query_series import MAX_QUERIES, max_queries_rule
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._options.validation import validate
from deltasource._session.extras import missing_library
from deltasource._text import short_repr

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

PORT_ALLOWED: Final = "must be a port from 0 to 65535, or None with a `registry`"
ADDRESS_ALLOWED: Final = "must be the address of an interface, such as 127.0.0.1 or 0.0.0.0"
REGISTRY_ALLOWED: Final = "must be a CollectorRegistry of prometheus_client"


class PrometheusEndpoint:
    """An event sink whose metrics Prometheus scrapes. Create it with `prometheus_http`.

    Args:
        metrics: The metrics that events are added to.
        port: The port of its server; None if it has none.
        stop: The function that stops the server.

    Example:
        >>> import deltasource
        >>> endpoint = deltasource.prometheus_http(0)
        >>> endpoint.port > 0
        True
        >>> endpoint.close()
    """

    def __init__(
        self, metrics: PrometheusMetrics, *, port: int | None, stop: Callable[[], None]
    ) -> None:
        self._metrics = metrics
        self._port = port
        self._stop = stop
        self._lock = threading.Lock()
        self._closed = False

    @property
    def port(self) -> int | None:
        """The port of its server; None if it has none."""
        return self._port

    def __call__(self, event: Event) -> None:
        """Apply an event to the metrics; fails after `close`."""
        if self._closed:
            raise ValueError(CLOSED)
        self._metrics.add(event)

    def close(self) -> None:
        """End the server, and remove the metrics from the registry.

        `monitor` calls this when its block ends. It may be called again.

        Example:
            >>> import deltasource
            >>> deltasource.prometheus_http(0).close()
        """
        with self._lock:
            if not self._closed:
                self._closed = True
                self._stop()
                self._metrics.unregister()


@with_keyword_hints
def prometheus_http(
    port: int | None = None,
    *,
    address: str = "127.0.0.1",
    registry: CollectorRegistry | None = None,
    max_queries: int = MAX_QUERIES,
) -> PrometheusEndpoint:
    """Create an event sink that serves the metrics of queries over HTTP, for Prometheus.

    The path is `/metrics`. The gauges are those of `prometheus`, which writes a file. In addition
    there are counters, of batches, of rows read and written, and of failures by error condition,
    and histograms of how long batches and their planning took.
    docs/reference/prometheus-and-opentelemetry.md lists them.

    The server runs in a background thread from this call on. It ends with the block of `monitor`,
    so use the file for queries that end before Prometheus scrapes them. Needs prometheus_client,
    which the extra `metrics` installs.

    Args:
        port: The port; 0 is any free one. None starts no server: the application serves `registry`.
        address: The address of the interface to listen on. The default accepts connections of this
            machine only; "0.0.0.0" accepts them on all interfaces. There is no authentication.
        registry: The registry of the application, which then has these metrics as well. They are
            removed from it at the end. None is a registry of its own.
        max_queries: How many queries have series of their own, 200 by default. The gauges of
            further queries replace those of queries that have ended. Counters and histograms count
            further queries together, with `query="other"`. A warning is logged once.

    Returns:
        An event sink for `monitor`.

    Raises:
        OptionsError: An argument is invalid, the port is taken, or the registry has such metrics
            already.
        MissingLibraryError: prometheus_client is not installed.

    Example:
        >>> import deltasource
        >>> with deltasource.monitor(spark, deltasource.prometheus_http(9109)):  # doctest: +SKIP
        ...     query.awaitTermination()
    """
    try:
        from prometheus_client import CollectorRegistry, start_http_server
    except ImportError as error:
        raise missing_library("prometheus_client", extra="metrics") from error
    _validate(port, address, registry, max_queries)
    served = CollectorRegistry() if registry is None else registry
    metrics = PrometheusMetrics.registered(served, max_queries)
    if port is None:
        return PrometheusEndpoint(metrics, port=None, stop=lambda: None)
    try:
        server, thread = start_http_server(port, address, served)
    except (OSError, UnicodeError) as error:
        metrics.unregister()
        raise OptionsError([_refused(port, address, error)]) from error

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return PrometheusEndpoint(metrics, port=server.server_port, stop=stop)


def _validate(port: object, address: object, registry: object, max_queries: object) -> None:
    from prometheus_client import CollectorRegistry

    known = type(port) is int and 0 <= port <= 65535
    own = registry is None or isinstance(registry, CollectorRegistry)
    validate(
        ("port", port, known or (port is None and registry is not None), PORT_ALLOWED),
        ("address", address, isinstance(address, str) and address != "", ADDRESS_ALLOWED),
        ("registry", registry, own, REGISTRY_ALLOWED),
        max_queries_rule(max_queries),
    )


def _refused(port: int, address: str, error: OSError | UnicodeError) -> InvalidOption:
    if not isinstance(error, OSError):
        return InvalidOption("address", short_repr(address), ADDRESS_ALLOWED)
    if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
        reason = f"{ADDRESS_ALLOWED} ({error.strerror})"
        return InvalidOption("address", short_repr(address), reason)
    reason = f"must be a port of {address} that is free ({error.strerror or error})"
    return InvalidOption("port", short_repr(port), reason)
