# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Handing the jar of this package to a Spark that runs already."""

from __future__ import annotations

from deltasource._session import bundle, conf, jvm, server
from deltasource.errors import SessionRunningError
from deltasource.session import fresh, require_line, require_ours
from deltasource.types import SessionLike


def attach(spark: SessionLike) -> None:
    """Hand our jar to a session that runs without Delta, and prove that it is on the jar.

    spark  a session of classic Spark or of Spark Connect

    For notebooks whose platform has made the session. Of classic Spark, driver and executors take
    the jar, and the session takes Delta's catalog where its own is Spark's; other sessions of this
    Spark need a call of their own. Streams, change feeds and batches then work by path, and streams
    by the name of a table as well: `read_stream`, `write_stream`, `stream_changes`, `read_changes`,
    `format("delta")`. Not so SQL on Delta tables, nor batches by name: those need Delta's SQL
    extension, which a session takes only when it is made, by `configure`. Called again, this does
    nothing more; nor does it where `configure` has made the session.

    A server of Spark Connect takes no Delta from its clients. The classes that a session sends are
    loaded apart for that session and once more for its tasks, and all of Delta's settings may be
    registered only once in a process. So nothing is sent: this returns if the server was started
    with our jar, of this version, and its guard, which has then compared the classes there; else it
    raises ConnectError with the arguments to start the server with.

    Raises ShadowedError where another Delta, or the jar of another version, is on the class path;
    SparkVersionError for another line of Spark; JarError where this package has lost its jar;
    SessionRunningError where the session has been stopped, or its Spark takes no jar any more;
    ConnectError as said above.
    """
    session = jvm.session(spark)
    if session is None:
        server.require_ours(spark)
        return
    if session.stopped():
        raise SessionRunningError(f"the session is stopped, and takes no jar. {fresh()}")
    require_line(session.spark_version())
    if session.origin(jvm.DELTA_SOURCE) is None and not session.take(bundle.jar_path()):
        raise SessionRunningError(f"Spark runs in a way that takes no jar later. {fresh()}")
    require_ours(session)
    if not session.setting(conf.CATALOG):
        session.set(conf.CATALOG, conf.DELTA_CATALOG)
