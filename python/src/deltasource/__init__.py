# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Delta Lake for Apache Spark with our own streaming source: one jar, one typed package."""

from deltasource._doctor import doctor
from deltasource._jar import jar_path
from deltasource.errors import (
    BuilderError,
    ConnectError,
    DeltaSourceError,
    JarError,
    NotLoadedError,
    OptionsError,
    Problem,
    SecondDeltaError,
    SessionRunningError,
    ShadowedError,
    SparkVersionError,
    SubmitArgumentsError,
)
from deltasource.options import Change, ReadOptions
from deltasource.report import Report, Row
from deltasource.session import configure
from deltasource.starting import Latest, Snapshot, Start, Time, Version
from deltasource.streams import read_stream
from deltasource.types import SessionLike

__all__ = [
    "BuilderError",
    "Change",
    "ConnectError",
    "DeltaSourceError",
    "JarError",
    "Latest",
    "NotLoadedError",
    "OptionsError",
    "Problem",
    "ReadOptions",
    "Report",
    "Row",
    "SecondDeltaError",
    "SessionLike",
    "SessionRunningError",
    "ShadowedError",
    "Snapshot",
    "SparkVersionError",
    "Start",
    "SubmitArgumentsError",
    "Time",
    "Version",
    "configure",
    "doctor",
    "jar_path",
    "read_stream",
]
