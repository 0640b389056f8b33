# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Diagnoses a session or an environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from deltasource._errors import ConnectError, JarError, SparkVersionError
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._session import bundle, conf, environment, jvm, own_confs
from deltasource._session.command_lines import restart_advice
from deltasource._session.report import DoctorCheck, Report
from deltasource._session.requirements import require_session
from deltasource._session.spark_lines import SCALA_LINE
from deltasource._types import SessionLike


@with_keyword_hints
def doctor(spark: SessionLike | None = None) -> Report:
    """Diagnose a session, or the environment in which a session would start.

    For a session, it checks which jar Delta's classes were loaded from, since settings do not prove
    that they had an effect.

    Args:
        spark: A session of classic Spark; None checks the environment: Java, Spark, the jar.

    Returns:
        A report with one row for each check, and how to fix those that failed.

    Raises:
        ConnectError: The session is of Spark Connect, and its classes are in another process.

    Example:
        >>> import deltasource
        >>> report = deltasource.doctor()
        >>> [row.check for row in report.rows]
        ['Java', 'Spark', 'package', 'other Delta', 'delta.tables', 'worker Python']
    """
    if spark is None:
        checks = (
            environment.check_java(),
            environment.check_spark(),
            environment.check_package_jar(),
        )
        return Report(
            (
                *checks,
                *environment.check_submit_arguments(),
                environment.check_spark_home(),
                environment.check_delta_tables(),
                environment.check_worker_python(),
            )
        )
    session = jvm.classic_session(spark)
    if session is None:
        require_session(spark)
        raise ConnectError(
            "`doctor` cannot check a Spark Connect session, whose classes are on the server: call "
            "`deltasource.attach(spark)`, which checks that the server runs with our jar"
        )
    if session.stopped():
        found, fix = "the session is stopped", "pass a session that is running"
        return Report((DoctorCheck(check="session", status="fail", found=found, fix=fix),))
    return Report(
        (
            environment.check_java_version(session.java_version()),
            environment.check_spark_version(session.spark_version()),
            _scala(session.scala_version()),
            environment.check_package_jar(session.spark_version()),
            *_classes(session),
            _extensions(session.started_with()),
            _catalog(session.setting(conf.CATALOG)),
            _managed_tables(session),
            _log_store(session.started_with()),
            _confs(session.settings_below(own_confs.PREFIX)),
            _executors(session),
            environment.check_delta_tables(),
            environment.check_worker_python(session.worker_python()),
        )
    )


def _scala(found: str) -> DoctorCheck:
    if found.startswith(f"{SCALA_LINE}."):
        return DoctorCheck(check="Scala", status="ok", found=found)
    fix = f"use a Spark built with Scala {SCALA_LINE}"
    return DoctorCheck(
        check="Scala",
        status="fail",
        found=f"{found}, the jar is built for {SCALA_LINE}",
        fix=fix,
    )


def _classes(session: jvm.Session) -> list[DoctorCheck]:
    copies = [*session.class_copies(jvm.DELTA_SOURCE), *session.class_copies(jvm.DELTA_DATA_SOURCE)]
    others = [jar for jar in dict.fromkeys(copies) if bundle.manifest(Path(jar)) is None]
    classes = ((jvm.DELTA_SOURCE, "DeltaSource"), (jvm.DELTA_DATA_SOURCE, "DeltaDataSource"))
    version = session.spark_version()
    rows = [_class(check, session.class_origin(name), version) for name, check in classes]
    return [*rows, environment.check_other_deltas(others)]


def _class(check: str, origin: str | None, spark: str) -> DoctorCheck:
    if origin is None:
        return DoctorCheck(
            check=check, status="fail", found="not on the class path", fix=_restart_advice()
        )
    if bundle.manifest(Path(origin)) is not None:
        return environment.check_jar(check, Path(origin), spark)
    found = f"loaded from {origin}, not from a jar of deltasource: it comes first on the class path"
    fix = f"remove that jar, or put ours first. {_restart_advice()}"
    return DoctorCheck(check=check, status="fail", found=found, fix=fix)


def _restart_advice() -> str:
    try:
        return restart_advice()
    except JarError:
        return environment.REINSTALL
    except SparkVersionError as error:
        return str(error)


def _extensions(started_with: Mapping[str, str]) -> DoctorCheck:
    given = started_with.get(conf.EXTENSIONS, "")
    wanted = (conf.GUARD, conf.DELTA_EXTENSION)
    missing = [name for name in wanted if name not in given.split(",")]
    if not missing:
        return DoctorCheck(check="extensions", status="ok", found=given)
    fix = _before_start(f"{conf.EXTENSIONS}={conf.with_guard(given)}")
    return DoctorCheck(
        check="extensions", status="fail", found=f"missing: {', '.join(missing)}", fix=fix
    )


def _catalog(given: str) -> DoctorCheck:
    if given == conf.DELTA_CATALOG:
        return DoctorCheck(check="catalog", status="ok", found=given)
    fix = _before_start(f"{conf.CATALOG}={conf.DELTA_CATALOG}")
    if not given:
        return DoctorCheck(
            check="catalog", status="fail", found="Spark's own catalog, without Delta", fix=fix
        )
    found = f"{given}, as configured; SQL on Delta tables works if it delegates to Delta's catalog"
    return DoctorCheck(check="catalog", status="warn", found=found, fix=f"if it does not: {fix}")


def _managed_tables(session: jvm.Session) -> DoctorCheck:
    """Check which connector streams the tables that Unity Catalog manages."""
    check, mode = "catalog-managed tables", session.setting(conf.V2_MODE).upper() or "AUTO"
    if mode not in ("AUTO", "STRICT"):
        return DoctorCheck(
            check=check, status="ok", found=f"streamed by our source ({conf.V2_MODE}={mode})"
        )
    given = session.started_with().items()
    catalogs = [
        key
        for key, value in given
        if key.startswith("spark.sql.catalog.") and value.startswith(conf.UNITY_CATALOG)
    ]
    if not catalogs:
        return DoctorCheck(check=check, status="ok", found="no Unity Catalog in this session")
    found = f"streamed by Delta's V2 connector, as with delta-spark ({conf.V2_MODE}={mode})"
    fix = f"set {conf.V2_MODE}=NONE to stream the tables of {', '.join(catalogs)} with our source"
    return DoctorCheck(check=check, status="warn", found=found, fix=fix)


def _log_store(started_with: Mapping[str, str]) -> DoctorCheck:
    """Report which log stores are configured for S3; only some of them allow several drivers."""

    def store(*keys: str) -> str:
        default = "Delta's default, with which only one driver may write to a table"
        return next((started_with[key] for key in keys if key in started_with), default)

    schemes = {
        key.split(".")[-2]: store(*conf.LOG_STORES, key, key.removeprefix("spark."))
        for key in conf.S3_LOG_STORES
    }
    found = "; ".join(f"{scheme}://: {name}" for scheme, name in schemes.items())
    return DoctorCheck(check="log stores on S3", status="ok", found=found)


def _confs(given: Mapping[str, str]) -> DoctorCheck:
    """Check our own confs: a misspelled one has no effect, an invalid value fails a query."""
    wrong = own_confs.mistakes(given)
    if not wrong:
        found = ", ".join(f"{name}={value}" for name, value in sorted(given.items()))
        return DoctorCheck(check="confs", status="ok", found=found or "all by default")
    found = "; ".join(f"{name} {mistake}, got {given[name]}" for name, mistake in wrong.items())
    return DoctorCheck(check="confs", status="warn", found=found, fix="correct what is listed")


def _executors(session: jvm.Session) -> DoctorCheck:
    name = Path(session.class_origin(jvm.DELTA_SOURCE) or "").name
    started_with = session.started_with()
    if any(jar.endswith(f"/{name}") for jar in session.executor_jars()):
        return DoctorCheck(check="executors", status="ok", found=f"fetch {name} from the driver")
    if started_with.get("spark.master", "").startswith("local"):
        return DoctorCheck(check="executors", status="ok", found="run in the driver")
    fix = _before_start(f"{conf.JARS} with the path of the jar")
    class_path = started_with.get(conf.EXECUTOR_CLASS_PATH, "").split(os.pathsep)
    if any(Path(entry).name == name for entry in class_path):
        found = f"look for {name} on their own file systems"
        return DoctorCheck(check="executors", status="warn", found=found, fix=fix)
    return DoctorCheck(check="executors", status="fail", found=f"do not get {name}", fix=fix)


def _before_start(setting: str) -> str:
    return f"set {setting} before the session starts, or call `configure` last: it does that"
