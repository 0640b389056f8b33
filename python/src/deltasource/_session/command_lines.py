# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The command lines that start Spark with our jar, for messages and for `submit-args`."""

from __future__ import annotations

import shlex
from pathlib import Path

from deltasource._session import bundle, conf


def restart_advice() -> str:
    """Return how to start Spark with our jar."""
    return (
        f"Start with `spark-submit {submit_flags(bundle.jar_path())} app.py`, or in a new Python "
        "process call `deltasource.configure(builder)` last, before the first session"
    )


def submit_flags(jar: Path) -> str:
    """Return the arguments of spark-submit that put a jar first on the class path."""
    quoted = shlex.quote(str(jar))
    path = quoted if quoted.startswith("'") else f"'{quoted}'"
    return f"--jars {path} --driver-class-path {path}"


def server_arguments(spark: str | None = None) -> str:
    """Return the arguments that start a Connect server of a version of Spark with our jar."""
    settings = {
        conf.EXTENSIONS: conf.with_guard(""),
        conf.CATALOG: conf.DELTA_CATALOG,
        **conf.s3_log_stores({}),
    }
    flags = (f"--conf {key}={value}" for key, value in settings.items())
    return " ".join((submit_flags(bundle.jar_path(spark)), *flags))
