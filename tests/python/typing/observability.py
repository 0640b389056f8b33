# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Event sinks and backlogs that type checkers must accept, and those they must refuse (api.py)."""

# pyright: reportUnnecessaryTypeIgnoreComment=true

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from opentelemetry.metrics import MeterProvider
from prometheus_client import CollectorRegistry
from pyspark.sql import SparkSession
from typing_extensions import assert_type

import deltasource
from deltasource import Checkpoint, EventSink, History, Lag, PrometheusEndpoint


def paths_and_functions_fit(spark: SparkSession, mine: EventSink) -> None:
    endpoint = deltasource.prometheus_http(9108, address="0.0.0.0", max_queries=50)
    assert_type(endpoint, PrometheusEndpoint)
    assert_type(endpoint.port, int | None)
    both: Sequence[EventSink] = [endpoint, deltasource.opentelemetry()]
    with deltasource.monitor(spark, "events.jsonl", Path("streams.prom"), *both, mine, keep=5):
        pass


def metrics_of_an_application_fit(registry: CollectorRegistry, provider: MeterProvider) -> None:
    deltasource.prometheus_http(registry=registry).close()
    assert_type(deltasource.opentelemetry(provider, max_queries=5), EventSink)
    assert_type(deltasource.prometheus("a.prom", max_queries=5), EventSink)


def wrong_event_sinks_are_refused(spark: SparkSession) -> None:
    deltasource.monitor(spark, b"events.jsonl")  # type: ignore[arg-type]
    deltasource.monitor(spark, ["events.jsonl"])  # type: ignore[arg-type]
    deltasource.monitor(spark, None)  # type: ignore[arg-type]
    deltasource.monitor(spark, deltasource.prometheus_http)  # type: ignore[arg-type]


def wrong_types_of_metrics_are_refused() -> None:
    deltasource.prometheus_http("9108")  # type: ignore[arg-type]
    deltasource.prometheus_http(9108, "0.0.0.0")  # type: ignore[call-arg]
    deltasource.prometheus_http(registry="mine")  # type: ignore[arg-type]
    deltasource.opentelemetry("mine")  # type: ignore[arg-type]


def a_lag_may_lack_numbers(lag: Lag) -> None:
    assert_type(lag.versions, int | None)


def a_backlog_says_what_limits_it(checkpoint: Checkpoint) -> None:
    lag = checkpoint.backlog("./orders", change_feed=True)
    assert_type(lag.data_loss_limit, Literal["log", "data_files"] | None)
    checkpoint.backlog("./orders", change_feed="yes")  # type: ignore[arg-type]
    checkpoint.backlog("./orders", "0", None, True)  # type: ignore[call-arg]


def a_report_takes_paths_and_histories(history: History, spark: SparkSession) -> None:
    page = deltasource.report("./checkpoint", "./orders", events="events.jsonl", to=Path("a.html"))
    assert_type(page, Path)
    deltasource.report(Path("checkpoint"), events=history)
    deltasource.report("s3a://bucket/checkpoint", "orders", change_feed=True, spark=spark)
    deltasource.report("./checkpoint", "./orders", "events.jsonl")  # type: ignore[call-arg]
    deltasource.report("./checkpoint", events=["events.jsonl"])  # type: ignore[arg-type]
    deltasource.report("./checkpoint", to=None)  # type: ignore[arg-type]
