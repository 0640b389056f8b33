# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Setting Spark up so that the jar of this package is the Delta it runs on."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from deltasource._session import bundle, conf
from deltasource._session import jvm as _jvm
from deltasource.errors import (
    ConnectError,
    NotLoadedError,
    SecondDeltaError,
    SessionRunningError,
    ShadowedError,
    SparkVersionError,
    SubmitArgumentsError,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

B = TypeVar("B", bound="SparkSession.Builder")


def configure(builder: B) -> B:
    """Set a session builder up for Delta with our jar; call it last, before getOrCreate.

    The builder's own jars, packages, class paths and extensions stay, ours goes in front of them.
    A catalog that it names for `spark_catalog` stays as well; `doctor` says what that means. Where
    Spark runs already, it is proved to be on the jar, or the error says what to do.
    """
    from pyspark import __version__

    options = _jvm.builder_options(builder)
    _refuse_remote(options)
    jar = bundle.jar_path()
    require_line(__version__)
    jvm = _jvm.running()
    if jvm is None:
        before = conf.defaults() | conf.submit_arguments() | options
        _refuse_second_delta(before)
        _put_first(builder, before, jar)
    else:
        require_ours(jvm)
        active = _jvm.active_settings()
        if active is not None:
            _require_settings(active)
            return builder
        before = jvm.settings() | options
    builder.config(conf.EXTENSIONS, conf.extensions(before.get(conf.EXTENSIONS, "")))
    builder.config(conf.CATALOG, before.get(conf.CATALOG, conf.DELTA_CATALOG))
    return builder


def require_ours(jvm: _jvm.Jvm) -> None:
    """Raise unless the Delta of a running JVM is this package's."""
    loaded = jvm.origin(_jvm.DELTA_SOURCE)
    if loaded is None:
        raise NotLoadedError(f"Spark runs without the jar of deltasource. {fresh()}")
    manifest = bundle.manifest(Path(loaded))
    if manifest is None:
        raise ShadowedError(
            f"DeltaSource was loaded from {loaded}, not from {bundle.jar_path()}: another Delta "
            "jar comes first on the class path. Take that jar away, or put ours in front. "
            f"{fresh()}"
        )
    package = bundle.package_version()
    if manifest.version != package:
        raise ShadowedError(
            f"DeltaSource was loaded from {loaded}, which is deltasource {manifest.version}, while "
            f"this package is {package}. {fresh()}"
        )


def require_line(spark: str) -> None:
    """Raise unless a version of Spark is of the line that the jar is made for."""
    if not spark.startswith(f"{bundle.SPARK_LINE}."):
        raise SparkVersionError(
            f"PySpark {spark} is here, the jar is made for Spark {bundle.SPARK_LINE}: "
            f"pip install 'pyspark=={bundle.SPARK_LINE}.*'"
        )


def fresh() -> str:
    """Answer how to start a Spark that is on the jar."""
    return (
        f"Start with `spark-submit {submit_flags(bundle.jar_path())} app.py`, or in a fresh Python "
        "process call `deltasource.configure(builder)` last, before the first session"
    )


def submit_flags(jar: Path) -> str:
    """Answer the arguments of spark-submit that put a jar in front."""
    quoted = shlex.quote(str(jar))
    path = quoted if quoted.startswith("'") else f"'{quoted}'"
    return f"--jars {path} --driver-class-path {path}"


def server_arguments() -> str:
    """Answer the arguments that start a server of Spark Connect on our jar."""
    return (
        f"{submit_flags(bundle.jar_path())} --conf {conf.EXTENSIONS}={conf.extensions('')} "
        f"--conf {conf.CATALOG}={conf.DELTA_CATALOG}"
    )


def _refuse_remote(options: Mapping[str, str]) -> None:
    remote = options.get("spark.remote", os.environ.get("SPARK_REMOTE", ""))
    if remote.startswith("sc:"):
        # What comes after the first semicolon may be a token.
        raise ConnectError(
            f"the Spark of this session runs at {remote.split(';')[0]}: leave `configure` out, and "
            f"start that server with {server_arguments()}"
        )


def _refuse_second_delta(before: Mapping[str, str]) -> None:
    package = conf.second_delta(before)
    if package is not None:
        raise SecondDeltaError(
            f"{conf.PACKAGES} names {package}: take it out, our jar holds all of Delta"
        )


def _put_first(builder: SparkSession.Builder, before: Mapping[str, str], jar: Path) -> None:
    path = str(jar)
    submitted = conf.submit_arguments()
    for key, separator in ((conf.JARS, ","), (conf.DRIVER_CLASS_PATH, os.pathsep)):
        if key in submitted and not conf.leads(path, submitted[key], separator):
            raise SubmitArgumentsError(
                f"PYSPARK_SUBMIT_ARGS sets {key} to {submitted[key]} and wins over the builder: "
                f"put {conf.first(path, submitted[key], separator)} there, or use the builder"
            )
    builder.config(conf.JARS, conf.first(jar.as_uri(), before.get(conf.JARS, "")))
    driver = before.get(conf.DRIVER_CLASS_PATH, "")
    builder.config(conf.DRIVER_CLASS_PATH, conf.first(path, driver, os.pathsep))
    # The path serves executors that see this file system. The bare name serves those of YARN, which
    # find the listed jars in their working folder at start; standalone ones fetch them later. An
    # entry that is not there does no harm.
    executor = conf.first(jar.name, before.get(conf.EXECUTOR_CLASS_PATH, ""), os.pathsep)
    builder.config(conf.EXECUTOR_CLASS_PATH, conf.first(path, executor, os.pathsep))


def _require_settings(active: Mapping[str, str]) -> None:
    extensions = active.get(conf.EXTENSIONS, "").split(",")
    wrong = [name for name in (conf.GUARD, conf.DELTA_EXTENSION) if name not in extensions]
    wrong += [] if conf.CATALOG in active else [conf.DELTA_CATALOG]
    if wrong:
        raise SessionRunningError(
            f"a session runs already, without {', '.join(wrong)}: stop it with `spark.stop()`, "
            "then call `deltasource.configure(builder).getOrCreate()`"
        )
