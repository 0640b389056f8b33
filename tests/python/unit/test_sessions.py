# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The errors of functions that get a session they cannot use."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pyspark.sql import SparkSession

import deltasource
from deltasource import ConnectError, OptionsError, SessionRunningError, ShadowedError
from deltasource._session import bundle, conf, jvm
from deltasource._types import SessionLike

SERVED = {
    "apply_snapshots",
    "attach",
    "monitor",
    "net_changes",
    "read_changes",
    "read_stream",
    "stream_changes",
}
"""These work over Connect: tests/python/spark/test_connect.py tests each of them."""

NEED_THE_JVM = {"doctor"}


def never() -> Any:
    raise AssertionError("started")


READS_THROUGH: dict[str, Callable[[str, SessionLike], object]] = {
    "Checkpoint": deltasource.Checkpoint,
    "schema_log": lambda path, spark: deltasource.schema_log(path, spark=spark),
    "report": lambda path, spark: deltasource.report(path, spark=spark),
    "run_until": lambda path, spark: deltasource.run_until(never, location=path, spark=spark),
}
"""These need no session for local paths, and a classic session for others."""


def connect(extensions: str = "<undefined>", version: str = "") -> SessionLike:
    """Return a fake Spark Connect session to a server with these extensions and this version."""
    answers = {
        f"SET {conf.EXTENSIONS}": {"key": conf.EXTENSIONS, "value": extensions},
        f"SELECT reflect('{conf.GUARD}', 'version') AS version": {"version": version},
        "SELECT version() AS version": {"version": "4.1.4 0123abc"},
    }

    def sql(text: str) -> Any:
        return SimpleNamespace(collect=lambda: [answers[text]])

    return cast(SessionLike, SimpleNamespace(sql=sql))


def takes_a_session(function: Callable[..., object]) -> bool:
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:
        # An alias such as `Trigger`, or an exception.
        return False
    return any("SessionLike" in str(one.annotation) for one in parameters)


def test_every_function_that_takes_a_session_is_listed() -> None:
    """A new function either works over Connect or raises an error there."""
    public = {name: getattr(deltasource, name) for name in deltasource.__all__}
    taking = {name for name, value in public.items() if callable(value) and takes_a_session(value)}
    assert taking == SERVED | NEED_THE_JVM | set(READS_THROUGH)


@pytest.mark.parametrize("name", sorted(NEED_THE_JVM))
def test_a_function_that_needs_the_jvm_says_so_in_one_sentence(name: str) -> None:
    """Connect has no JVM access, and the error says what to use instead."""
    with pytest.raises(ConnectError) as error:
        getattr(deltasource, name)(connect())
    assert ". " not in str(error.value)
    assert "`deltasource.attach(spark)`" in str(error.value)


@pytest.mark.parametrize("read", READS_THROUGH.values(), ids=READS_THROUGH)
def test_remote_files_cannot_be_read_over_connect(read: Any) -> None:
    """Only local paths can be read, and the error says so in one sentence."""
    with pytest.raises(ConnectError) as error:
        read("s3a://bucket/c", connect())
    assert ". " not in str(error.value)
    assert "cannot read s3a://bucket/c through a Spark Connect session" in str(error.value)


@pytest.mark.parametrize("extensions", ["<undefined>", "", conf.DELTA_EXTENSION])
def test_a_server_without_our_guard_is_refused(extensions: str) -> None:
    """Nothing proves that its Delta, if any, is ours."""
    with pytest.raises(
        ConnectError, match=r"start it with --jars '.*spark_4\.1_.*' --driver-class-path '"
    ):
        deltasource.attach(connect(extensions))


def test_a_server_with_the_jar_of_another_version_is_refused() -> None:
    """The jar on the server must match the package."""
    package = bundle.package_version()
    deltasource.attach(connect(conf.GUARD, package))
    with pytest.raises(ShadowedError, match=rf"runs deltasource 0\.0\.9, .* is {package}: "):
        deltasource.attach(connect(conf.GUARD, "0.0.9"))


class Classic:
    """A fake classic session without Delta, to which no jar can be added."""

    version = "4.2.0"

    def stopped(self) -> bool:
        return False

    def spark_version(self) -> str:
        return self.version

    def class_origin(self, _: str) -> None:
        return None

    def add_jar(self, _: object) -> bool:
        return False


def one_that_runs(_: object) -> Classic:
    return Classic()


def test_the_error_without_a_jar_loader_says_how_to_start_spark(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If no class loader accepts jars, the error says how to start Spark with ours."""
    monkeypatch.setattr(jvm, "classic_session", one_that_runs)
    with pytest.raises(SessionRunningError, match="Start with `spark-submit --jars"):
        deltasource.attach(connect())


def test_another_line_of_spark_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The version of the running Spark counts, not that of the installed package."""
    monkeypatch.setattr(jvm, "classic_session", one_that_runs)
    monkeypatch.setattr(Classic, "version", "4.3.0")
    with pytest.raises(
        deltasource.SparkVersionError,
        match=r"Spark 4\.3\.0 is not supported",
    ):
        deltasource.attach(connect())


@pytest.mark.parametrize(
    "call",
    [
        partial(deltasource.read_stream, path_or_table="./orders"),
        partial(deltasource.read_changes, path_or_table="./orders", start=0),
        deltasource.monitor,
        deltasource.doctor,
    ],
)
def test_the_class_of_a_session_is_no_session(call: Callable[[Any], object]) -> None:
    """`SparkSession` instead of `SparkSession.builder.getOrCreate()`."""
    with pytest.raises(OptionsError, match=r"must be a session, as SparkSession\.builder\.getOr"):
        call(SparkSession)
