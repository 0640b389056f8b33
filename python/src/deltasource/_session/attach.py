# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Adds our jar to a Spark that is already running."""

from __future__ import annotations

from typing import Final

from deltasource._errors import SessionRunningError
from deltasource._logger import LOG
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._session import bundle, conf, jvm, server
from deltasource._session.command_lines import restart_advice
from deltasource._session.connect_errors import named_connect_errors
from deltasource._session.requirements import require_our_jar, require_running, require_session
from deltasource._session.spark_lines import require_line
from deltasource._types import SessionLike

LIMITS: Final = (
    "attached the jar of deltasource to a running session: streams work, and change feeds and "
    "batch reads and writes work by path. SQL on Delta tables (SELECT, MERGE, DELETE, OPTIMIZE) "
    "and batch reads and writes by table name fail, often with an unrelated error: they need a "
    "session that `deltasource.configure` built"
)


@with_keyword_hints
def attach(spark: SessionLike) -> None:
    """Add our jar to a session that runs without Delta, and check that it uses the jar.

    For notebooks whose platform has created the session. In classic Spark, the driver and the
    executors load the jar, and the session uses Delta's catalog if it had Spark's own. Other
    sessions of the same Spark need their own call.

    Afterwards these work by path: `read_stream`, `write_stream`, `apply_changes`, `stream_changes`,
    `read_changes`, `net_changes` and `format("delta")`. `read_stream`, `write_stream` and
    `apply_changes` also work by table name. `apply_snapshots`, SQL on Delta tables, and batch reads
    and writes by table name do not work. They need Delta's SQL extension, which only `configure`
    can add, before the session starts. The logger "deltasource" says so at WARNING when the jar is
    added, because Spark's own errors do not. Calling this again does nothing, and neither does
    calling it after `configure`.

    A Spark Connect server cannot load Delta from its clients: it loads the classes that a session
    sends once for the session and once more for its tasks, but Delta's settings can be registered
    only once in a process. So nothing is sent. This returns if the server was started with our jar
    of this version and our extension, which checks the classes on the server. Otherwise it raises
    ConnectError with the arguments to start the server with.

    Args:
        spark: A session of classic Spark or of Spark Connect.

    Raises:
        OptionsError: `spark` is not a session.
        ShadowedError: Another Delta, or the jar of another version, is on the class path.
        SparkVersionError: There is no jar for this version of Spark.
        JarError: A jar of this package is missing.
        NotLoadedError: Spark has added the jar, but does not load Delta from it.
        SessionRunningError: The session is stopped, or its Spark cannot add a jar.
        ConnectError: The Spark Connect server was started without our jar, cannot be reached, or
            has closed the session.

    Example:
        >>> import deltasource
        >>> deltasource.attach(spark)  # doctest: +SKIP
    """
    require_session(spark)
    session = jvm.classic_session(spark)
    if session is None:
        with named_connect_errors():
            server.require_our_extension(spark)
        return
    require_running(spark)
    version = session.spark_version()
    jar = bundle.jar_path(require_line(version))
    if session.class_origin(jvm.DELTA_SOURCE) is None:
        if not session.add_jar(jar):
            raise SessionRunningError(
                f"this Spark cannot add a jar while it runs. {restart_advice()}"
            )
        LOG.warning(LIMITS)
    require_our_jar(session, version)
    if not session.setting(conf.CATALOG):
        session.set(conf.CATALOG, conf.DELTA_CATALOG)
