# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The only module that touches py4j: the classes a running Spark has loaded, the files it reaches.

Settings cannot answer where a class came from. Those of a running Spark show what was asked for,
also where it had no effect; so a class is loaded and asked for its own code source.
"""

# pyright: reportPrivateUsage=false
# Spark offers no public way to its JVM.

from __future__ import annotations

import errno
import os
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from deltasource._session import conf
from deltasource.errors import BuilderError
from deltasource.types import SessionLike

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DELTA_SOURCE = "org.apache.spark.sql.delta.sources.DeltaSource"
DELTA_DATA_SOURCE = "org.apache.spark.sql.delta.sources.DeltaDataSource"

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
        # The one Spark itself asks: it knows the jars of --jars, the system loader does not.
        return self._view.java.lang.Thread.currentThread().getContextClassLoader()

    def origin(self, class_name: str) -> str | None:
        """Answer the jar a class is loaded from; None when there is no such class."""
        from py4j.protocol import Py4JJavaError

        try:
            loaded = self._loader.loadClass(class_name)
        except Py4JJavaError as error:
            if "ClassNotFoundException" in error.java_exception.getClass().getName():
                return None
            raise
        source = loaded.getProtectionDomain().getCodeSource()
        return None if source is None else conf.local_path(source.getLocation().toString())

    def copies(self, class_name: str) -> Sequence[str]:
        """Answer every jar that holds the class, in the order of the class path."""
        name = class_name.replace(".", "/") + ".class"
        found = self._loader.getResources(name)
        jars = []
        while found.hasMoreElements():
            jar = found.nextElement().toString().removeprefix("jar:").removesuffix("!/" + name)
            jars.append(conf.local_path(jar))
        return list(dict.fromkeys(jars))

    def settings(self) -> dict[str, str]:
        """Answer what the JVM was started with, of the settings we care for."""
        given = {key: self._view.java.lang.System.getProperty(key) for key in conf.ALL}
        return {key: str(value) for key, value in given.items() if value is not None}

    def java_version(self) -> str:
        """Answer the version of Java."""
        return str(self._view.java.lang.System.getProperty("java.version"))

    def scala_version(self) -> str:
        """Answer the version of Scala."""
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
        """Answer the version of Spark."""
        return self._spark.version

    def setting(self, key: str) -> str:
        """Answer a setting as the session has it; a static one only tells what was asked for."""
        return self._spark.conf.get(key, None) or ""  # Spark refuses "" where it is no value

    def set(self, key: str, value: str) -> None:
        """Change a setting of the session."""
        self._spark.conf.set(key, value)

    def take(self, jar: Path) -> bool:
        """Put a jar behind all that Spark has on its class path; False where it takes none.

        In local mode driver and tasks share a process, and classes that settings are registered by
        must be loaded once in it. `ADD JAR` gives the jar to a loader for each of the two; this
        gives it to the one behind both, which spark-submit has made for `--jars`.
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
        """Answer the settings its SparkContext was started with."""
        return dict(self._spark.sparkContext.getConf().getAll())

    def executor_jars(self) -> Sequence[str]:
        """Answer the jars that executors fetch from the driver."""
        jars = cast(Any, self._spark.sparkContext)._jsc.sc().listJars()
        return [str(jars.apply(i)) for i in range(jars.size())]

    def worker_python(self) -> str:
        """Answer the command that starts the workers' Python."""
        return self._spark.sparkContext.pythonExec

    def files(self) -> HadoopFiles:
        """Answer the file systems it reaches, by a copy of its settings, which is slow."""
        state = cast(Any, self._spark)._jsparkSession.sessionState()
        return HadoopFiles(self._view, state.newHadoopConf())


@dataclass(frozen=True)
class FileStatus:
    """What Hadoop knows of a file or a folder: the time it was written, in seconds since 1970."""

    is_dir: bool
    st_mtime: float


class HadoopFiles:
    """The file systems that a Hadoop configuration knows; what they refuse is an OSError."""

    def __init__(self, view: Any, hadoop_conf: Any) -> None:
        self._view = view
        self._conf = hadoop_conf

    def qualified(self, path: str) -> str:
        """Answer a path with its scheme, as Hadoop has it; OSError where it has no such scheme."""
        with _os_errors(path):
            at, file_system = self._at(path)
            return str(file_system.makeQualified(at).toString())

    def status(self, uri: str) -> FileStatus | None:
        """Answer what is known of a file or a folder; None if it is not there."""
        try:
            with _os_errors(uri):
                at, file_system = self._at(uri)
                status = file_system.getFileStatus(at)
                return FileStatus(status.isDirectory(), status.getModificationTime() / 1000)
        except FileNotFoundError:
            return None

    def names(self, uri: str) -> Sequence[str]:
        """Answer the names in a folder, all in one answer: a log may have many thousands."""
        with _os_errors(uri):
            at, file_system = self._at(uri)
            found = self._view.org.apache.hadoop.fs.FileUtil.stat2Paths(file_system.listStatus(at))
            paths = str(self._view.scala.Predef.genericWrapArray(found).mkString("\n"))
        return [path.rpartition("/")[2] for path in paths.split("\n") if path]

    def content(self, uri: str) -> bytes:
        """Answer what a file holds."""
        with _os_errors(uri):
            at, file_system = self._at(uri)
            stream = file_system.open(at)
            try:
                return bytes(self._view.org.apache.commons.io.IOUtils.toByteArray(stream))
            finally:
                stream.close()

    def _at(self, path: str) -> tuple[Any, Any]:
        at = self._view.org.apache.hadoop.fs.Path(path)
        return at, at.getFileSystem(self._conf)


@contextmanager
def _os_errors(path: str) -> Generator[None, None, None]:
    """Raise what Java refuses as Python's own errors of files."""
    from py4j.protocol import Py4JJavaError
    from pyspark.errors.exceptions.captured import CapturedException

    try:
        yield
    except Py4JJavaError as error:
        thrown = error.java_exception
        if thrown.getClass().getSimpleName() == "FileNotFoundException":
            raise FileNotFoundError(errno.ENOENT, "it is not there", path) from error
        raise OSError(errno.EIO, str(thrown.toString()), path) from error
    except CapturedException as error:
        raise OSError(errno.EINVAL, str(error), path) from error


def running() -> Jvm | None:
    """Answer the JVM of this process, if Spark or spark-submit has started one."""
    from pyspark import SparkContext

    if SparkContext._gateway is None and "PYSPARK_GATEWAY_PORT" not in os.environ:
        return None
    # Under spark-submit the JVM is there before Python is connected to it.
    SparkContext._ensure_initialized()
    return Jvm(SparkContext._jvm)


def session(spark: SessionLike) -> Session | None:
    """Answer a classic session; None for one of Spark Connect, whose JVM is elsewhere."""
    from pyspark.sql import SparkSession

    return Session(spark) if isinstance(spark, SparkSession) else None


def active_settings() -> dict[str, str] | None:
    """Answer what the SparkContext that runs in this process was started with, if one does."""
    from pyspark import SparkContext

    context = SparkContext._active_spark_context
    return None if context is None else dict(context.getConf().getAll())


def builder_options(builder: object) -> dict[str, str]:
    """Answer what is set on a builder so far; Spark keeps it private."""
    options: dict[str, object] | None = getattr(builder, "_options", None)
    if options is None:
        raise BuilderError(
            f"give SparkSession.builder, before getOrCreate, not {type(builder).__name__}"
        )
    return {key: str(value) for key, value in options.items() if value is not None}
