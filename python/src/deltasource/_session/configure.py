# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Configures a session builder so that Spark uses the Delta in our jar."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from deltasource._errors import (
    BuilderError,
    ConnectError,
    OptionsError,
    SecondDeltaError,
    SessionRunningError,
    SubmitArgumentsError,
)
from deltasource._invalid_option import InvalidOption
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._session import bundle, conf, jvm, own_confs
from deltasource._session.command_lines import server_arguments
from deltasource._session.requirements import require_our_jar
from deltasource._session.spark_lines import require_installed

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

B = TypeVar("B", bound="SparkSession.Builder")


@with_keyword_hints
def configure(builder: B) -> B:
    """Configure a session builder for Delta with our jar. Call it last, before `getOrCreate`.

    Adds our jar before the builder's own jars, packages and class paths, and our extension before
    its extensions; all of them are kept. A catalog that the builder sets for `spark_catalog` is
    kept too; `doctor` reports what that means. Commits on `s3a://` and `s3://` are made by our log
    store, `S3LogStore`, unless Spark's settings name another one. If Spark is running already, this
    only checks that it runs with our jar, and its log stores stay as they are.

    Args:
        builder: A `SparkSession.builder` of classic Spark.

    Returns:
        The same builder.

    Raises:
        BuilderError: The argument is not a session builder.
        ConnectError: The builder connects to a Spark Connect server.
        JarError: A jar of this package is missing.
        SparkVersionError: There is no jar for the installed Spark, or PySpark and SPARK_HOME are of
            different minor versions.
        OptionsError: The builder sets a conf `spark.deltasource.*` that does not exist, or to a
            value that Spark would refuse when a query starts.
        SecondDeltaError: The settings add a published Delta: in `spark.jars.packages`,
            `spark.jars`, or a class path of the driver or the executors. What is added after this
            call, or is in Spark's own folder of jars, is reported by `doctor`.
        SubmitArgumentsError: PYSPARK_SUBMIT_ARGS puts another jar before ours.
        NotLoadedError: Spark is running without our jar.
        ShadowedError: Spark is running with another Delta.
        SessionRunningError: A session is running without our extension or catalog.

    Example:
        >>> import deltasource
        >>> from pyspark.sql import SparkSession
        >>> spark = deltasource.configure(SparkSession.builder).getOrCreate()  # doctest: +SKIP
    """
    options = builder_options(builder)
    _refuse_remote(options)
    _refuse_invalid_confs(options)
    spark_version = require_installed()
    jar = bundle.jar_path(spark_version)
    running = jvm.running()
    if running is None:
        before = conf.defaults() | conf.submit_arguments() | options
        _refuse_second_delta(before)
        _put_first(builder, before, jar)
    else:
        require_our_jar(running, spark_version)
        active = jvm.active_settings()
        if active is not None:
            _require_settings(active)
            return builder
        before = running.settings() | options
    builder.config(conf.EXTENSIONS, conf.with_guard(before.get(conf.EXTENSIONS, "")))
    builder.config(conf.CATALOG, before.get(conf.CATALOG, conf.DELTA_CATALOG))
    for key, store in conf.s3_log_stores(before).items():
        builder.config(key, store)
    return builder


def _refuse_remote(options: Mapping[str, str]) -> None:
    remote = options.get("spark.remote", os.environ.get("SPARK_REMOTE", ""))
    if remote.startswith("sc:"):
        # The part after the first semicolon may contain a token.
        raise ConnectError(
            f"this session runs on a Spark Connect server at {remote.split(';')[0]}: do not call "
            f"`configure`, and start that server with {server_arguments()}"
        )


def _refuse_invalid_confs(options: Mapping[str, str]) -> None:
    found = own_confs.mistakes(options)
    if found:
        raise OptionsError(
            [InvalidOption(name, options[name], wrong) for name, wrong in found.items()]
        )


def _refuse_second_delta(before: Mapping[str, str]) -> None:
    found = conf.second_delta(before)
    if found is not None:
        key, second = found
        adds = "`configure_spark_with_delta_pip` adds it: do not call that"
        raise SecondDeltaError(
            f"{key} contains {second}: remove it, our jar contains all of Delta"
            + (f". {adds}" if key == conf.PACKAGES else "")
        )


def _put_first(builder: SparkSession.Builder, before: Mapping[str, str], jar: Path) -> None:
    path = str(jar)
    problem = conf.overriding_arguments(path)
    if problem is not None:
        raise SubmitArgumentsError(": ".join(problem))
    builder.config(conf.JARS, conf.prepend(jar.as_uri(), before.get(conf.JARS, "")))
    driver = before.get(conf.DRIVER_CLASS_PATH, "")
    builder.config(conf.DRIVER_CLASS_PATH, conf.prepend(path, driver, os.pathsep))
    # The path is for executors that see this file system. The bare name is for YARN, where the
    # listed jars are in the working folder at start; standalone executors fetch them later. An
    # entry that does not exist does no harm.
    executor = conf.prepend(jar.name, before.get(conf.EXECUTOR_CLASS_PATH, ""), os.pathsep)
    builder.config(conf.EXECUTOR_CLASS_PATH, conf.prepend(path, executor, os.pathsep))


def _require_settings(active: Mapping[str, str]) -> None:
    extensions = active.get(conf.EXTENSIONS, "").split(",")
    missing = [name for name in (conf.GUARD, conf.DELTA_EXTENSION) if name not in extensions]
    missing += [] if conf.CATALOG in active else [conf.DELTA_CATALOG]
    if missing:
        raise SessionRunningError(
            f"a session is running without {', '.join(missing)}: stop it with `spark.stop()`, "
            "then call `deltasource.configure(builder).getOrCreate()`"
        )


def builder_options(builder: object) -> dict[str, str]:
    """Return the options set on a builder so far, which are private in PySpark."""
    options: dict[str, object] | None = getattr(builder, "_options", None)
    if options is None:
        raise BuilderError(
            f"builder must be SparkSession.builder before getOrCreate, got {type(builder).__name__}"
        )
    return {key: str(value) for key, value in options.items() if value is not None}
