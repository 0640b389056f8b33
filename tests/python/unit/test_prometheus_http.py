# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The server and the registry whose metrics Prometheus scrapes."""

from __future__ import annotations

import socket
import sys
import threading
from typing import Any
from urllib.error import URLError

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client import Counter as LibraryCounter

from deltasource import (
    MissingLibraryError,
    OptionsError,
    monitor,
    prometheus_http,
)
from support.event_samples import FIRST_RUN, STARTED
from support.fake_streams import Session, Streams, spark_progress
from support.metric_families import endpoint, exposed, scraped, value


@pytest.fixture
def registry() -> CollectorRegistry:
    """Return the registry of an application."""
    return CollectorRegistry()


def test_metrics_are_served_until_the_block_ends() -> None:
    """The server runs from the call on, in a thread that ends with the monitor."""
    before = threading.active_count()
    streams = Streams()
    served = prometheus_http(0)
    assert scraped(served.port) == {}
    with monitor(Session(streams), served):
        streams.start()
        streams.tell(spark_progress(0))
        streams.end()
    with pytest.raises(URLError):
        scraped(served.port)
    assert threading.active_count() == before
    served.close()


def test_what_is_served_is_what_was_received() -> None:
    """A scrape has the latest numbers."""
    served = prometheus_http(0)
    for event in FIRST_RUN:
        served(event)
    found = scraped(served.port)
    served.close()
    assert value(found, "deltasource_batch_id", query="orders") == 4
    assert value(found, "deltasource_batches_total", query="orders") == 2


def test_an_application_gets_the_metrics_into_its_own_registry(
    registry: CollectorRegistry,
) -> None:
    """They are next to its own until the sink is closed; no server is started."""
    LibraryCounter("mine", "Mine.", registry=registry).inc()
    served = endpoint(registry, *FIRST_RUN)
    assert served.port is None
    assert {"mine", "deltasource_batch_id", "deltasource_batches"} <= exposed(registry).keys()
    served.close()
    assert {name for name in exposed(registry) if not name.startswith("mine")} == set()
    endpoint(registry, *FIRST_RUN).close()


def test_a_registry_takes_the_metrics_once(registry: CollectorRegistry) -> None:
    """Two sinks would have the same series twice, which Prometheus refuses."""
    endpoint(registry)
    with pytest.raises(OptionsError, match="registry must be a registry without metrics of delta"):
        endpoint(registry)


def test_a_closed_sink_receives_nothing() -> None:
    """It says so, instead of counting what nobody sees."""
    served = prometheus_http(0)
    served.close()
    with pytest.raises(ValueError, match="this event sink is closed"):
        served(STARTED)


def test_a_port_that_is_taken_is_refused() -> None:
    """The error names the port, the address and the reason."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(OptionsError) as error:
            prometheus_http(port)
    (problem,) = error.value.problems
    assert str(problem) == (
        f"port must be a port of 127.0.0.1 that is free (Address already in use), got {port}"
    )


def test_a_port_that_is_refused_leaves_the_registry_as_it_was(registry: CollectorRegistry) -> None:
    """The metrics can be registered again."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(OptionsError):
            prometheus_http(taken.getsockname()[1], registry=registry)
    endpoint(registry)


@pytest.mark.parametrize("address", ["203.0.113.1", "a" * 70, "no such host"])
def test_an_address_of_another_machine_is_refused(address: str) -> None:
    """The error names the address, not the port."""
    with pytest.raises(OptionsError, match="address must be the address of an interface"):
        prometheus_http(0, address=address)


def test_all_wrong_arguments_are_reported_together() -> None:
    """They are refused when the sink is created."""
    wrong: Any = {"port": 65536, "address": "", "registry": 5, "max_queries": 0}
    with pytest.raises(OptionsError) as error:
        prometheus_http(**wrong)
    assert [problem.option for problem in error.value.problems] == list(wrong)
    for port in (True, -1, "9108", None):
        with pytest.raises(OptionsError, match="or None with a `registry`"):
            prometheus_http(port)  # type: ignore[arg-type]


def test_without_the_library_the_error_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The line works wherever this package came from."""
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    with pytest.raises(MissingLibraryError) as error:
        prometheus_http(9108)
    assert isinstance(error.value, ImportError)
    assert error.value.name == "prometheus_client"
    line = "prometheus_client is not installed: pip install 'prometheus-client>=0.20' installs it"
    assert line in str(error.value)
