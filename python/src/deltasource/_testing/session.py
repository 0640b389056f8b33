# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A small local session for tests."""

from __future__ import annotations

import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, cast

from deltasource._errors import SessionRunningError
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._options.validation import validate
from deltasource._session import jvm
from deltasource._session.configure import configure
from deltasource._session.extras import missing_library

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CONFS_ALLOWED: Final = "must map the names of Spark's settings to strings"
LINE_ALLOWED: Final = "must be lines such as spark.sql.ansi.enabled=false"

DEFAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "spark.master": "local[2]",
        "spark.app.name": "tests",
        "spark.log.level": "ERROR",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        # A machine without a network may not resolve its own name.
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        # Tests run new code most of the time: optimising it takes longer than it saves.
        "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
        "spark.sql.shuffle.partitions": "2",
        "spark.databricks.delta.snapshotPartitions": "2",
        # The tasks of a VACUUM: 10,000 by default, which take a minute.
        "spark.sql.sources.parallelPartitionDiscovery.parallelism": "2",
        "spark.sql.session.timeZone": "UTC",
    }
)


@contextmanager
@with_keyword_hints
def local_session(*, confs: Mapping[str, str] | None = None) -> Generator[SparkSession]:
    """Run a small local session with our jar for the duration of a `with` block.

    It has two cores (`local[2]`), two shuffle partitions, two partitions for the state of a Delta
    table, two tasks for VACUUM, the time zone UTC, no UI, and a temporary warehouse. Only errors
    are logged. At the end the session is stopped and the warehouse deleted. If a session is running
    already, this yields it as it is, and does not stop it.

    Args:
        confs: Spark's settings, which replace those above.

    Yields:
        The session.

    Raises:
        OptionsError: `confs` is not a mapping of strings.
        MissingLibraryError: PySpark is not installed.
        SessionRunningError: A session is running with other values of these `confs`, or without
            our extension or catalog.
        ConnectError: `SPARK_REMOTE` names a Spark Connect server.
        NotLoadedError: Spark is running without our jar.

    Example:
        >>> from deltasource.testing import local_session
        >>> with local_session(confs={"spark.master": "local[4]"}) as spark:  # doctest: +SKIP
        ...     spark.range(3).write.format("delta").save("/tmp/numbers")
    """
    chosen = {} if confs is None else confs
    validate(("confs", confs, _are_confs(chosen), CONFS_ALLOWED))
    try:
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise missing_library("pyspark", extra="spark") from error
    if jvm.active_settings() is not None:
        session = configure(SparkSession.builder).getOrCreate()
        _require_confs(session, chosen)
        yield session
        return
    with tempfile.TemporaryDirectory(prefix="warehouse-", ignore_cleanup_errors=True) as warehouse:
        builder = SparkSession.builder
        for key, value in {**DEFAULTS, "spark.sql.warehouse.dir": warehouse, **chosen}.items():
            builder = builder.config(key, value)
        session = configure(builder).getOrCreate()
        try:
            yield session
        finally:
            session.stop()


def parse_confs(lines: Sequence[str]) -> dict[str, str]:
    """Parse lines such as "spark.sql.ansi.enabled=false"."""
    confs: dict[str, str] = {}
    wrong: list[str] = []
    for line in lines:
        key, separator, value = map(str.strip, line.partition("="))
        if key and separator:
            confs[key] = value
        else:
            wrong.append(line)
    validate(("deltasource_confs", wrong, not wrong, LINE_ALLOWED))
    return confs


def _require_confs(session: SparkSession, confs: Mapping[str, str]) -> None:
    other = [key for key, value in confs.items() if session.conf.get(key, None) != value]
    if other:
        raise SessionRunningError(
            f"a session is running with other values of {', '.join(other)}: stop it with "
            "`spark.stop()`, or leave these confs out"
        )


def _are_confs(confs: object) -> bool:
    if not isinstance(confs, Mapping):
        return False
    pairs = cast(Mapping[object, object], confs).items()
    return all(isinstance(key, str) and isinstance(value, str) for key, value in pairs)
