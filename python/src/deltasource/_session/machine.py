# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The checks that need no session: Java, PySpark, our jar, other jars, the workers' Python."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from deltasource._session import bundle, conf
from deltasource.errors import JarError
from deltasource.report import Row

JAVA_FIX = "install Java 17 or 21 and let JAVA_HOME name its folder"
REINSTALL = "install the wheel of deltasource again, or run `make jar` in a clone"
SPARK_FIX = f"pip install 'pyspark=={bundle.SPARK_LINE}.*'"


def java() -> Row:
    """Check the Java that Spark would start."""
    import subprocess

    home = os.environ.get("JAVA_HOME")
    command = str(Path(home, "bin", "java")) if home else "java"
    try:
        said = subprocess.run([command, "-version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        return Row(check="Java", status="fail", found=f"{command}: {error}", fix=JAVA_FIX)
    found = re.search(r'version "([^"]+)"', said.stderr + said.stdout)
    return java_row(found[1] if found else "unknown")


def java_row(found: str) -> Row:
    """Judge a version of Java."""
    major = re.match(r"\d+", found)
    if major is None or int(major[0]) < 17:
        return Row(check="Java", status="fail", found=found, fix=JAVA_FIX)
    return Row(check="Java", status="ok", found=found)


def pyspark() -> Row:
    """Check the PySpark that is installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return spark_row(version("pyspark"))
    except PackageNotFoundError:
        return Row(check="Spark", status="fail", found="no pyspark is installed", fix=SPARK_FIX)


def spark_row(found: str) -> Row:
    """Judge a version of Spark."""
    if found.startswith(f"{bundle.SPARK_LINE}."):
        return Row(check="Spark", status="ok", found=found)
    return Row(
        check="Spark",
        status="fail",
        found=f"{found}, the jar is for {bundle.SPARK_LINE}",
        fix=SPARK_FIX,
    )


def package_jar() -> Row:
    """Check the jar in this package."""
    try:
        jar = bundle.jar_path()
    except JarError as error:
        return Row(
            check="package",
            status="fail",
            found=str(error),
            fix=REINSTALL,
        )
    return jar_row("package", jar)


def jar_row(check: str, jar: Path) -> Row:
    """Judge what a jar says about itself against this package."""
    says, package = bundle.manifest(jar), bundle.package_version()
    if says is None:
        fix = REINSTALL
        return Row(check=check, status="fail", found=f"{jar} is not a jar of deltasource", fix=fix)
    found = (
        f"{jar}: deltasource {says.version}, for Spark {says.spark_line}, "
        f"with Delta {says.delta_version}, commit {says.git_commit[:12]}"
    )
    if says.version == package and says.spark_line == bundle.SPARK_LINE:
        return Row(check=check, status="ok", found=found)
    fix = f"use the jar of this package ({package} for Spark {bundle.SPARK_LINE}), see jar_path()"
    return Row(check=check, status="fail", found=found, fix=fix)


def delta_beside_spark() -> Row:
    """Look for a Delta that was put into Spark's own folder of jars."""
    home = conf.spark_home()
    jars = sorted((home / "jars").glob("delta-*.jar")) if home else []
    return other_deltas([str(jar) for jar in jars])


def other_deltas(jars: Sequence[str]) -> Row:
    """Judge the jars that hold a second Delta."""
    if not jars:
        return Row(check="other Delta", status="ok", found="none")
    fix = "take it away: ours wins only while it comes first, on every executor too"
    return Row(check="other Delta", status="warn", found=", ".join(jars), fix=fix)


def worker_python(command: str | None = None) -> Row:
    """Compare the Python that Spark starts for its workers with this one."""
    name = command or os.environ.get("PYSPARK_PYTHON", "python3")
    path, fix = shutil.which(name), f"set PYSPARK_PYTHON={sys.executable} before Spark starts"
    if path is None:
        return Row(check="worker Python", status="fail", found=f"there is no {name}", fix=fix)
    # Links of one interpreter in two environments see different packages.
    if Path(path).samefile(sys.executable) and Path(path).parent == Path(sys.executable).parent:
        return Row(check="worker Python", status="ok", found=f"{path}, as the driver")
    import subprocess

    line = "import sys; print('%d.%d' % sys.version_info[:2])"
    said = subprocess.run(
        [path, "-c", line], capture_output=True, text=True, check=False
    ).stdout.strip()
    ours = f"{sys.version_info[0]}.{sys.version_info[1]}"
    if said != ours:
        found = f"{path} is Python {said or 'unknown'}, the driver's is {ours}"
        return Row(check="worker Python", status="fail", found=found, fix=fix)
    found = f"{path}, the driver's is {sys.executable}: the same version, maybe other packages"
    return Row(check="worker Python", status="warn", found=found, fix=fix)
