# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The checks of `doctor` that need no session: Java, Spark, jars, the Python of the workers."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from deltasource._errors import DeltaSourceError, JarError, SparkVersionError
from deltasource._session import bundle, conf, spark_lines
from deltasource._session.report import DoctorCheck

JAVA_FIX = "install Java 17 or 21 and set JAVA_HOME to its folder"
DELTA_VERSION = "4.4.0"
REINSTALL = "reinstall the wheel of deltasource, or run `make jar` in a clone"


def check_java() -> DoctorCheck:
    """Check the Java that Spark would start."""
    import subprocess

    home = os.environ.get("JAVA_HOME")
    command = str(Path(home, "bin", "java")) if home else "java"
    try:
        output = subprocess.run([command, "-version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        return DoctorCheck(check="Java", status="fail", found=f"{command}: {error}", fix=JAVA_FIX)
    found = re.search(r'version "([^"]+)"', output.stderr + output.stdout)
    return check_java_version(found[1] if found else "unknown")


def check_java_version(found: str) -> DoctorCheck:
    """Check a version of Java."""
    major = re.match(r"\d+", found)
    if major is None or int(major[0]) < 17:
        return DoctorCheck(check="Java", status="fail", found=found, fix=JAVA_FIX)
    return DoctorCheck(check="Java", status="ok", found=found)


def check_spark() -> DoctorCheck:
    """Check the Spark that would start, and the PySpark that would start it."""
    problem = spark_lines.home_problem()
    if problem is not None:
        fix = spark_lines.HOME_FIX
        return DoctorCheck(check="Spark", status="fail", found=problem, fix=fix)
    spark, pyspark = spark_lines.spark_version(), spark_lines.pyspark_version()
    if spark is None:
        fix = spark_lines.install()
        return DoctorCheck(check="Spark", status="fail", found="no Spark is installed", fix=fix)
    row = check_spark_version(spark)
    if row.status == "fail" or pyspark == spark:
        return row
    if pyspark is None:
        found = f"{spark} in {conf.spark_home()}; PySpark is not installed, spark-submit adds it"
        return DoctorCheck(check="Spark", status="ok", found=found)
    return DoctorCheck(
        check="Spark",
        status="warn" if spark_lines.is_same_line(spark, pyspark) else "fail",
        found=spark_lines.difference(spark, pyspark),
        fix=spark_lines.match_pyspark(spark),
    )


def check_spark_version(found: str) -> DoctorCheck:
    """Check a version of Spark."""
    if spark_lines.line_of(found):
        return DoctorCheck(check="Spark", status="ok", found=found)
    return DoctorCheck(
        check="Spark",
        status="fail",
        found=f"{found}, there are jars for {spark_lines.supported()}",
        fix=spark_lines.replacement(found),
    )


def check_package_jar(spark: str | None = None) -> DoctorCheck:
    """Check the jar in this package for a version of Spark, by default the installed one."""
    try:
        version = spark or spark_lines.require_installed()
        jar = bundle.jar_path(version)
    except SparkVersionError as error:
        fix = spark_lines.installed_fix() if spark is None else spark_lines.replacement(spark)
        found = str(error).replace(f": {fix}", "")  # It is shown below.
        return DoctorCheck(check="package", status="fail", found=found, fix=fix)
    except JarError as error:
        return DoctorCheck(check="package", status="fail", found=str(error), fix=REINSTALL)
    return check_jar("package", jar, version)


def check_jar(check: str, jar: Path, spark: str) -> DoctorCheck:
    """Compare the manifest of a jar with this package, and with a version of Spark."""
    manifest, package = bundle.manifest(jar), bundle.package_version()
    if manifest is None:
        fix = REINSTALL
        return DoctorCheck(
            check=check, status="fail", found=f"{jar} is not a jar of deltasource", fix=fix
        )
    found = (
        f"{jar}: deltasource {manifest.version}, for Spark {manifest.spark_line}, "
        f"with Delta {manifest.delta_version}, commit {manifest.git_commit[:12]}"
    )
    line = spark_lines.line_of(spark)
    if manifest.version == package and manifest.spark_line == line:
        return DoctorCheck(check=check, status="ok", found=found)
    fix = f"use the jar of this package ({package} for Spark {line}): see `jar_path()`"
    return DoctorCheck(check=check, status="fail", found=found, fix=fix)


def check_submit_arguments() -> Sequence[DoctorCheck]:
    """Return the check of PYSPARK_SUBMIT_ARGS, if there is a jar and they would hide it."""
    try:
        problem = conf.overriding_arguments(str(bundle.jar_path()))
    except DeltaSourceError:
        return ()  # Another check says what is wrong with the jar.
    if problem is None:
        return ()
    found, fix = problem
    return (DoctorCheck(check="submit args", status="fail", found=found, fix=fix),)


def check_spark_home() -> DoctorCheck:
    """Look for a Delta in Spark's own folder of jars."""
    home = conf.spark_home()
    jars = sorted((home / "jars").glob("delta-*.jar")) if home else []
    return check_other_deltas([str(jar) for jar in jars])


def check_other_deltas(jars: Sequence[str]) -> DoctorCheck:
    """Check for jars that contain a second Delta."""
    if not jars:
        return DoctorCheck(check="other Delta", status="ok", found="none")
    fix = "remove it: ours is used only if it comes first, also on each executor"
    return DoctorCheck(check="other Delta", status="warn", found=", ".join(jars), fix=fix)


def check_delta_tables() -> DoctorCheck:
    """Compare the Python package of delta-spark, which has `delta.tables`, with our jar's Delta."""
    from importlib.metadata import PackageNotFoundError, version

    check = "delta.tables"
    try:
        found = version("delta-spark")
    except PackageNotFoundError:
        return DoctorCheck(check=check, status="ok", found="not installed, and not needed")
    if found == DELTA_VERSION:
        return DoctorCheck(check=check, status="ok", found=f"delta-spark {found}")
    return DoctorCheck(
        check=check,
        status="warn",
        found=f"delta-spark {found}, the jar contains Delta {DELTA_VERSION}",
        fix=f"pip install 'delta-spark=={DELTA_VERSION}'",
    )


def check_worker_python(command: str | None = None) -> DoctorCheck:
    """Compare the Python of the workers with the one of the driver."""
    name = command or os.environ.get("PYSPARK_PYTHON", "python3")
    path, fix = shutil.which(name), f"set PYSPARK_PYTHON={sys.executable} before Spark starts"
    if path is None:
        return DoctorCheck(check="worker Python", status="fail", found=f"{name} not found", fix=fix)
    # Two virtual environments may link to the same interpreter and have different packages.
    same_folder = Path(path).absolute().parent.samefile(Path(sys.executable).parent)
    if Path(path).samefile(sys.executable) and same_folder:
        return DoctorCheck(check="worker Python", status="ok", found=f"{path}, same as the driver")
    import subprocess

    line = "import sys; print('%d.%d' % sys.version_info[:2])"
    version = subprocess.run(
        [path, "-c", line], capture_output=True, text=True, check=False
    ).stdout.strip()
    ours = f"{sys.version_info[0]}.{sys.version_info[1]}"
    if version != ours:
        found = f"{path} is Python {version or 'unknown'}, the driver uses {ours}"
        return DoctorCheck(check="worker Python", status="fail", found=found, fix=fix)
    found = f"{path}, the driver uses {sys.executable}: same version, but packages may differ"
    return DoctorCheck(check="worker Python", status="warn", found=found, fix=fix)
