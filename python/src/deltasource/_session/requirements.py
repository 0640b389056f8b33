# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Checks that a running Spark uses the Delta of this package."""

from __future__ import annotations

from pathlib import Path

from deltasource._errors import (
    NotLoadedError,
    OptionsError,
    SessionRunningError,
    ShadowedError,
    SparkVersionError,
)
from deltasource._invalid_option import InvalidOption
from deltasource._session import bundle, jvm
from deltasource._session.command_lines import restart_advice
from deltasource._session.spark_lines import require_line
from deltasource._text import short_repr
from deltasource._types import SESSION_ALLOWED, SessionLike, is_session


def require_our_jar(spark_jvm: jvm.Jvm, spark_version: str) -> None:
    """Raise unless a JVM loads Delta from the jar of this package for its version of Spark."""
    loaded = spark_jvm.class_origin(jvm.DELTA_SOURCE)
    if loaded is None:
        raise NotLoadedError(f"Spark is running without the jar of deltasource. {restart_advice()}")
    manifest = bundle.manifest(Path(loaded))
    if manifest is None:
        raise ShadowedError(
            f"DeltaSource was loaded from {loaded}, not from {bundle.jar_path(spark_version)}: "
            "another Delta jar comes first on the class path. Remove that jar, or put ours first. "
            f"{restart_advice()}"
        )
    package = bundle.package_version()
    if manifest.version != package:
        raise ShadowedError(
            f"DeltaSource was loaded from {loaded}, which is deltasource {manifest.version}, but "
            f"this package is {package}. {restart_advice()}"
        )
    if manifest.spark_line != require_line(spark_version):
        raise SparkVersionError(
            f"DeltaSource was loaded from {loaded}, which is for Spark {manifest.spark_line}, but "
            f"this is Spark {spark_version}. {restart_advice()}"
        )


def require_session(spark: object) -> None:
    """Raise if this is not a session, classic or Spark Connect."""
    if not is_session(spark):
        raise OptionsError([InvalidOption("spark", short_repr(spark), SESSION_ALLOWED)])


def require_running(spark: SessionLike) -> None:
    """Raise if a classic session has been stopped."""
    classic = jvm.classic_session(spark)
    if classic is not None and classic.stopped():
        raise SessionRunningError("the session has been stopped: pass one that is running")


def require_our_jar_in(spark: SessionLike) -> None:
    """Raise if a classic session has been stopped, or runs without our jar.

    A Connect server cannot be checked here.
    """
    require_running(spark)
    classic = jvm.classic_session(spark)
    if classic is not None:
        require_our_jar(classic, classic.spark_version())
