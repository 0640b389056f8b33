# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Archives of the classes that Spark loads, with which a JVM starts in two thirds of the time.

The tests start about a hundred JVMs. `python -m support.class_data` runs a small stream twice; when
each JVM exits, it writes the classes that it has loaded, parsed and verified (JEP 350). Without an
archive, or with one of other jars, a JVM loads its classes as usual.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyspark

from support.build import BUNDLE, LOCAL_FILES, ROOT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_FOLDER: Final = ROOT / "target" / "class-data" / pyspark.__version__
# Two, because an archive is for class paths that begin with its own.
CONFIGURED: Final = _FOLDER / "configured.jsa"
"""For sessions of `deltasource.configure`, which puts our jar on the class path."""
JARS: Final = _FOLDER / "jars.jsa"
"""For sessions with Delta in `spark.jars`, stock's or ours."""


def java_options(*options: str, archive: Path) -> str:
    """Return options of a JVM, as one text, with those for the archive if it exists.

    The archive is quoted, because its path may contain a space. A JVM that cannot use it does not
    say so: it would on standard output, which some tests read.
    """
    if not archive.exists():
        return " ".join(options)
    silent = ("-Xlog:cds=off", "-Xlog:cds+dynamic=off")
    return " ".join((*options, f'"-XX:SharedArchiveFile={archive}"', *silent))


def main() -> None:
    """Write both archives, unless they are newer than our jar; or one, in this process."""
    if sys.argv[1:]:
        _write(Path(sys.argv[1]))
        return
    _FOLDER.mkdir(parents=True, exist_ok=True)
    old = [archive for archive in (CONFIGURED, JARS) if not _is_current(archive)]
    for process in [_start(archive) for archive in old]:
        if process.wait() != 0:
            raise SystemExit(f"could not write an archive of classes in {_FOLDER}")


def _is_current(archive: Path) -> bool:
    return archive.exists() and archive.stat().st_mtime > BUNDLE.stat().st_mtime


def _start(archive: Path) -> subprocess.Popen[bytes]:
    archive.unlink(missing_ok=True)
    # The warnings name hundreds of classes that cannot be in an archive.
    java = "-Xlog:cds=error -Xlog:cds+dynamic=error"
    return subprocess.Popen(
        [sys.executable, "-m", "support.class_data", str(archive)],
        env={
            **os.environ,
            "JDK_JAVA_OPTIONS": f'{java} "-XX:ArchiveClassesAtExit={archive}"',
            "SPARK_DIST_CLASSPATH": str(LOCAL_FILES),
        },
    )


def _write(archive: Path) -> None:
    with tempfile.TemporaryDirectory() as folder, _session(archive, Path(folder)) as spark:
        _stream(spark, folder)
    # PySpark does not wait for its JVM, which writes the archive when it exits.
    gateway: Any = pyspark.SparkContext._gateway
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait()


def _session(archive: Path, folder: Path) -> AbstractContextManager[SparkSession]:
    if archive == JARS:
        from parity.harness.worker import session

        return session([str(BUNDLE)], folder, {"spark.log.level": "ERROR"})
    from deltasource.testing import local_session

    return local_session()


def _stream(spark: SparkSession, folder: str) -> None:
    source, target = f"{folder}/source", f"{folder}/target"
    spark.range(10).write.format("delta").save(source)
    writer = spark.readStream.format("delta").load(source).writeStream.format("delta")
    writer = writer.option("checkpointLocation", f"{folder}/checkpoint")
    writer.trigger(availableNow=True).start(target).awaitTermination()
    spark.read.format("delta").load(target).collect()


if __name__ == "__main__":
    main()
