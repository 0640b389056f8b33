# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What runs here, where it came from, and what to change."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from deltasource._session import bundle, conf, jvm
from deltasource._session import machine as _machine
from deltasource.errors import ConnectError, JarError
from deltasource.report import Report, Row
from deltasource.session import fresh
from deltasource.types import SessionLike


def doctor(spark: SessionLike | None = None) -> Report:
    """Examine a session, or without one the machine a session would start on.

    spark  a session of classic Spark; None, the default, for the machine

    Of a session, the classes themselves are asked which jar they came from; settings prove nothing.
    Raises ConnectError for a session of Spark Connect, whose classes are in another process.
    """
    if spark is None:
        machine = (_machine.java(), _machine.pyspark(), _machine.package_jar())
        return Report((*machine, _machine.delta_beside_spark(), _machine.worker_python()))
    session = jvm.session(spark)
    if session is None:
        raise ConnectError(
            "the classes of this session are in the Spark Connect server, out of the doctor's "
            "reach: `deltasource.attach(spark)` checks that the server runs on our jar"
        )
    if session.stopped():
        found, fix = "the session is stopped", "give a session that runs"
        return Report((Row(check="session", status="fail", found=found, fix=fix),))
    return Report(
        (
            _machine.java_row(session.java_version()),
            _machine.spark_row(session.spark_version()),
            _scala(session.scala_version()),
            _machine.package_jar(),
            *_classes(session),
            _extensions(session.started_with()),
            _catalog(session.setting(conf.CATALOG)),
            _managed_tables(session),
            _executors(session),
            _machine.worker_python(session.worker_python()),
        )
    )


def _scala(found: str) -> Row:
    if found.startswith(f"{bundle.SCALA_LINE}."):
        return Row(check="Scala", status="ok", found=found)
    fix = f"use a Spark built with Scala {bundle.SCALA_LINE}"
    return Row(
        check="Scala", status="fail", found=f"{found}, the jar is for {bundle.SCALA_LINE}", fix=fix
    )


def _classes(session: jvm.Session) -> list[Row]:
    copies = [*session.copies(jvm.DELTA_SOURCE), *session.copies(jvm.DELTA_DATA_SOURCE)]
    others = [jar for jar in dict.fromkeys(copies) if bundle.manifest(Path(jar)) is None]
    classes = ((jvm.DELTA_SOURCE, "DeltaSource"), (jvm.DELTA_DATA_SOURCE, "DeltaDataSource"))
    rows = [_class(check, session.origin(name)) for name, check in classes]
    return [*rows, _machine.other_deltas(others)]


def _class(check: str, origin: str | None) -> Row:
    if origin is None:
        return Row(check=check, status="fail", found="not on the class path", fix=_fresh())
    if bundle.manifest(Path(origin)) is not None:
        return _machine.jar_row(check, Path(origin))
    found = f"loaded from {origin}, not from a jar of deltasource: it comes first on the class path"
    fix = f"take that jar away, or put ours in front. {_fresh()}"
    return Row(check=check, status="fail", found=found, fix=fix)


def _fresh() -> str:
    try:
        return fresh()
    except JarError:
        return _machine.REINSTALL


def _extensions(started_with: Mapping[str, str]) -> Row:
    given = started_with.get(conf.EXTENSIONS, "")
    wanted = (conf.GUARD, conf.DELTA_EXTENSION)
    missing = [name for name in wanted if name not in given.split(",")]
    if not missing:
        return Row(check="extensions", status="ok", found=given)
    fix = _before_start(f"{conf.EXTENSIONS}={conf.extensions(given)}")
    return Row(check="extensions", status="fail", found=f"without {', '.join(missing)}", fix=fix)


def _catalog(given: str) -> Row:
    if given == conf.DELTA_CATALOG:
        return Row(check="catalog", status="ok", found=given)
    fix = _before_start(f"{conf.CATALOG}={conf.DELTA_CATALOG}")
    if not given:
        return Row(check="catalog", status="fail", found="Spark's own, without Delta", fix=fix)
    found = f"{given}, as it was set; SQL on Delta tables works if it hands them on to Delta's"
    return Row(check="catalog", status="warn", found=found, fix=f"if it does not: {fix}")


def _managed_tables(session: jvm.Session) -> Row:
    """Which connector reads the streams of tables that Unity Catalog manages."""
    check, mode = "catalog-managed tables", session.setting(conf.V2_MODE).upper() or "AUTO"
    if mode not in ("AUTO", "STRICT"):
        return Row(
            check=check, status="ok", found=f"streamed by our source ({conf.V2_MODE}={mode})"
        )
    given = session.started_with().items()
    catalogs = [
        key
        for key, value in given
        if key.startswith("spark.sql.catalog.") and value.startswith(conf.UNITY_CATALOG)
    ]
    if not catalogs:
        return Row(check=check, status="ok", found="no Unity Catalog in this session")
    found = f"streamed by Delta's V2 connector, as with delta-spark ({conf.V2_MODE}={mode})"
    fix = f"set {conf.V2_MODE}=NONE to stream the tables of {', '.join(catalogs)} with our source"
    return Row(check=check, status="warn", found=found, fix=fix)


def _executors(session: jvm.Session) -> Row:
    name = Path(session.origin(jvm.DELTA_SOURCE) or "").name
    started_with = session.started_with()
    if any(jar.endswith(f"/{name}") for jar in session.executor_jars()):
        return Row(check="executors", status="ok", found=f"fetch {name} from the driver")
    if started_with.get("spark.master", "").startswith("local"):
        return Row(check="executors", status="ok", found="run in the driver")
    fix = _before_start(f"{conf.JARS} with the path of the jar")
    class_path = started_with.get(conf.EXECUTOR_CLASS_PATH, "").split(os.pathsep)
    if any(Path(entry).name == name for entry in class_path):
        found = f"look for {name} on their own machines"
        return Row(check="executors", status="warn", found=found, fix=fix)
    return Row(check="executors", status="fail", found=f"are not given {name}", fix=fix)


def _before_start(setting: str) -> str:
    return f"set {setting} before the session starts; `configure`, called last, does it"
