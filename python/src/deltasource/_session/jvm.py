# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The only module that uses py4j: the classes a running Spark has loaded, and its file systems.

Settings do not say where a class came from: those of a running Spark show what was requested, even
if it had no effect. So a class is loaded and its code source is read.
"""

# pyright: reportPrivateUsage=false
# Spark has no public API for its JVM.

from __future__ import annotations

import errno
import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from deltasource._session import conf
from deltasource._session.checksum_error import ChecksumError
from deltasource._session.streamed_table import StreamedTable, streamed_tables
from deltasource._types import SessionLike

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

DELTA_SOURCE = "org.apache.spark.sql.delta.sources.DeltaSource"
DELTA_DATA_SOURCE = "org.apache.spark.sql.delta.sources.DeltaDataSource"
DELTA = "delta"
"""The leaf of a plan that is a stream of a source like Delta's."""

_TAKES_JARS = (
    "org.apache.spark.util.ChildFirstURLClassLoader",
    "org.apache.spark.util.MutableURLClassLoader",
)


class Jvm:
    """The JVM of the Spark in this process."""

    def __init__(self, view: Any) -> None:
        self._view = view

    @property
    def _loader(self) -> Any:
        # The loader Spark uses: it has the jars of --jars, the system loader does not.
        return self._view.java.lang.Thread.currentThread().getContextClassLoader()

    def class_origin(self, class_name: str) -> str | None:
        """Return the jar a class is loaded from; None if there is no such class."""
        from py4j.protocol import Py4JJavaError

        try:
            loaded = self._loader.loadClass(class_name)
        except Py4JJavaError as error:
            if "ClassNotFoundException" in error.java_exception.getClass().getName():
                return None
            raise
        source = loaded.getProtectionDomain().getCodeSource()
        return None if source is None else conf.local_path(source.getLocation().toString())

    def class_copies(self, class_name: str) -> Sequence[str]:
        """Return all jars that contain a class, in the order of the class path."""
        name = class_name.replace(".", "/") + ".class"
        found = self._loader.getResources(name)
        jars = []
        while found.hasMoreElements():
            jar = found.nextElement().toString().removeprefix("jar:").removesuffix("!/" + name)
            jars.append(conf.local_path(jar))
        return list(dict.fromkeys(jars))

    def settings(self) -> dict[str, str]:
        """Return the launch settings that the JVM was started with."""
        given = {key: self._view.java.lang.System.getProperty(key) for key in conf.LAUNCH_SETTINGS}
        return {key: str(value) for key, value in given.items() if value is not None}

    def compile_regex(self, pattern: str) -> None:
        """Compile a regular expression of Java; OSError says what is wrong with it."""
        with os_errors(pattern):
            self._view.java.util.regex.Pattern.compile(pattern)

    def working_folder(self) -> Path:
        """Return where relative paths begin, which may not be the working folder of Python."""
        return Path(str(self._view.java.lang.System.getProperty("user.dir")))

    def java_version(self) -> str:
        """Return the version of Java."""
        return str(self._view.java.lang.System.getProperty("java.version"))

    def scala_version(self) -> str:
        """Return the version of Scala."""
        return str(self._view.scala.util.Properties.versionNumberString())


class Session(Jvm):
    """A session of classic Spark, whose JVM belongs to this process."""

    def __init__(self, spark: SparkSession) -> None:
        super().__init__(spark._jvm)
        self._spark = spark

    def stopped(self) -> bool:
        """Whether the session has been stopped."""
        return self._spark.sparkContext._jsc is None

    def spark_version(self) -> str:
        """Return the version of Spark."""
        return self._spark.version

    def setting(self, key: str) -> str:
        """Return a setting of the session; for a static one, only what was requested."""
        return self._spark.conf.get(key, None) or ""  # Spark refuses "" if it is not valid

    def settings_below(self, prefix: str) -> dict[str, str]:
        """Return the settings of the session whose names start with a prefix."""
        every = self._spark.conf.getAll
        return {name: str(value) for name, value in every.items() if name.startswith(prefix)}

    def set(self, key: str, value: str) -> None:
        """Change a setting of the session."""
        self._spark.conf.set(key, value)

    def add_jar(self, jar: Path) -> bool:
        """Add a jar after everything on Spark's class path; False if Spark cannot add one.

        In local mode the driver and the tasks share a process, and classes that register settings
        must be loaded only once in it. `ADD JAR` adds the jar to one loader for each of the two;
        this adds it to their parent, which spark-submit has created for `--jars`.
        """
        loader, last = self._loader, None
        while loader is not None:
            last = loader if loader.getClass().getName() in _TAKES_JARS else last
            loader = loader.getParent()
        if last is None:
            return False
        last.addURL(self._view.java.net.URI(jar.as_uri()).toURL())
        cast(Any, self._spark.sparkContext)._jsc.addJar(jar.as_uri())
        return True

    def started_with(self) -> dict[str, str]:
        """Return the settings its SparkContext was started with."""
        return dict(self._spark.sparkContext.getConf().getAll())

    def executor_jars(self) -> Sequence[str]:
        """Return the jars that executors fetch from the driver."""
        jars = cast(Any, self._spark.sparkContext)._jsc.sc().listJars()
        return [str(jars.apply(i)) for i in range(jars.size())]

    def worker_python(self) -> str:
        """Return the command that starts the Python of the workers."""
        return self._spark.sparkContext.pythonExec

    def table_folder(self, name: str) -> str | None:
        """Return where a Delta table is, by its name; None if there is none."""
        from pyspark.errors import AnalysisException

        try:
            row = self._spark.sql(f"DESCRIBE DETAIL {name}").first()
        except AnalysisException:
            return None
        return None if row is None or row["format"] != "delta" else str(row["location"])

    def streamed_tables(self, frame: DataFrame) -> Sequence[StreamedTable]:
        """Return each source of a streaming DataFrame."""
        return streamed_tables(cast(Any, frame))

    def delta_log(self, path: str) -> Any:
        """Return Delta's log of the table at a path, as it was when a query last opened it."""
        delta = self._view.org.apache.spark.sql.delta
        return delta.DeltaLog.forTable(cast(Any, self._spark)._jsparkSession, path)

    def hadoop(self) -> tuple[Any, Any]:
        """Return its JVM, and a copy of its settings for file systems; copying them is slow."""
        state = cast(Any, self._spark)._jsparkSession.sessionState()
        return self._view, state.newHadoopConf()


@contextmanager
def os_errors(path: str) -> Generator[None, None, None]:
    """Raise errors of Java as OSError; FileNotFoundError and ChecksumError say what happened."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors.exceptions.captured import CapturedException

    try:
        yield
    except Py4JJavaError as error:
        thrown = error.java_exception
        name = thrown.getClass().getSimpleName()
        if name == "FileNotFoundException":
            raise FileNotFoundError(errno.ENOENT, "it does not exist", path) from error
        if name == "ChecksumException":
            raise ChecksumError(errno.EIO, "it does not match its checksum file", path) from error
        raise OSError(errno.EIO, str(thrown.toString()), path) from error
    except CapturedException as error:
        raise OSError(errno.EINVAL, str(error), path) from error


@contextmanager
def io_errors() -> Generator[None, None, None]:
    """Raise Java's IOException as OSError, and leave all other errors of Java as they are."""
    from py4j.java_gateway import is_instance_of
    from py4j.protocol import Py4JJavaError
    from pyspark import SparkContext

    try:
        yield
    except Py4JJavaError as error:
        thrown = error.java_exception
        if not is_instance_of(SparkContext._gateway, thrown, "java.io.IOException"):
            raise
        raise OSError(errno.EIO, str(thrown.toString())) from error


def running() -> Jvm | None:
    """Return the JVM of this process, if Spark or spark-submit has started one."""
    from pyspark import SparkContext

    if SparkContext._gateway is None and "PYSPARK_GATEWAY_PORT" not in os.environ:
        return None
    # Under spark-submit the JVM runs before Python is connected to it.
    SparkContext._ensure_initialized()
    return Jvm(SparkContext._jvm)


def hadoop_version() -> str | None:
    """Return the version of Hadoop of the Spark in this process; None if there is none."""
    from pyspark import SparkContext

    view: Any = SparkContext._jvm
    return None if view is None else str(view.org.apache.hadoop.util.VersionInfo.getVersion())


def classic_session(spark: SessionLike) -> Session | None:
    """Return a classic session; None for Spark Connect, whose JVM is remote."""
    from pyspark.sql import SparkSession

    return Session(spark) if isinstance(spark, SparkSession) else None


def active_settings() -> dict[str, str] | None:
    """Return the settings of the SparkContext that runs in this process, if there is one."""
    from pyspark import SparkContext

    context = SparkContext._active_spark_context
    return None if context is None else dict(context.getConf().getAll())
