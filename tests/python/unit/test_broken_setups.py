# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Ten wrong setups of Spark: for each the doctor reports one cause and a one-line fix.

tests/python/spark/test_class_path.py has real sessions in the first, third, seventh, eighth and
ninth state; here the session is fake.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import pytest

import deltasource
from deltasource._session import bundle, conf, jvm
from deltasource._types import SessionLike
from support.package_samples import VERSION, fake, write_jar


@dataclass(frozen=True)
class Session:
    """A fake session of a healthy cluster."""

    jar: str
    others: Sequence[str] = ()
    java: str = "17.0.15"
    spark: str = "4.2.1"
    catalog: str = conf.DELTA_CATALOG
    python: str = sys.executable
    fetched: Sequence[str] = ("spark://driver/jars/ours.jar",)
    settings: Mapping[str, str] = field(
        default_factory=lambda: {
            "spark.master": "spark://host:7077",
            conf.EXTENSIONS: conf.with_guard(""),
        }
    )

    def stopped(self) -> bool:
        return False

    def java_version(self) -> str:
        return self.java

    def spark_version(self) -> str:
        return self.spark

    def scala_version(self) -> str:
        return "2.13.18"

    def class_copies(self, _: str) -> Sequence[str]:
        return [jar for jar in (self.jar, *self.others) if jar]

    def class_origin(self, _: str) -> str | None:
        return self.jar or None

    def started_with(self) -> Mapping[str, str]:
        return self.settings

    def setting(self, key: str) -> str:
        return {conf.CATALOG: self.catalog}.get(key, "")

    def settings_below(self, _: str) -> Mapping[str, str]:
        return {}

    def executor_jars(self) -> Sequence[str]:
        return self.fetched

    def worker_python(self) -> str:
        return self.python


@pytest.fixture
def ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Session:
    """Return a healthy session."""
    jar = write_jar(tmp_path / "ours.jar", VERSION)

    def path(_spark: str | None = None) -> Path:
        return jar

    monkeypatch.setattr(bundle, "jar_path", path)
    return Session(str(jar))


def examined(session: Session, monkeypatch: pytest.MonkeyPatch) -> deltasource.Report:
    def classic(_: object) -> Session:
        return session

    monkeypatch.setattr(jvm, "classic_session", classic)
    return deltasource.doctor(cast(SessionLike, session))


def test_a_healthy_session_has_no_cause(ours: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """The session that the others are derived from has nothing to fix."""
    report = examined(ours, monkeypatch)
    assert (report.ok, report.cause) == (True, None), report


def broken(name: str, ours: Session, folder: Path) -> Session:
    """Return a session that is broken in one way."""
    stock = str(folder / "delta-spark_4.2_2.13-4.4.0.jar")
    match name:
        case "stock jar in front":
            return replace(ours, jar=stock, others=[ours.jar])
        case "jar missing on executors":
            return replace(ours, fetched=())
        case "two versions":
            return replace(ours, jar=str(write_jar(folder / "old.jar", "0.0.1")), others=[ours.jar])
        case "wrong Spark line":
            return replace(ours, spark="4.3.0")
        case "wrong Java":
            return replace(ours, java="11.0.2")
        case "wrong Python on workers":
            return replace(ours, python=str(fake(folder, "python", "3.1")))
        case "extension not set":
            return replace(ours, settings={"spark.master": "local[2]"})
        case "catalog not set":
            return replace(ours, catalog="")
        case "spark.jars ignored under spark-submit":
            nothing = {"spark.master": "local[2]", conf.JARS: ours.jar}
            return replace(ours, jar="", catalog="", fetched=(), settings=nothing)
        case _:
            raise ValueError(name)


@pytest.mark.parametrize(
    ("name", "check", "fix"),
    [
        ("stock jar in front", "DeltaSource", "remove that jar, or put ours first"),
        ("jar missing on executors", "executors", "spark.jars with the path of the jar"),
        ("two versions", "DeltaSource", "use the jar of this package"),
        ("wrong Spark line", "Spark", "pip install 'pyspark==4.2.*'"),
        ("wrong Java", "Java", "install Java 17 or 21"),
        ("wrong Python on workers", "worker Python", f"set PYSPARK_PYTHON={sys.executable}"),
        ("extension not set", "extensions", f"set {conf.EXTENSIONS}={conf.with_guard('')}"),
        ("catalog not set", "catalog", f"set {conf.CATALOG}={conf.DELTA_CATALOG}"),
        ("spark.jars ignored under spark-submit", "DeltaSource", "Start with `spark-submit --jars"),
    ],
)
def test_a_broken_session_has_one_cause_and_one_line_that_fixes_it(
    name: str,
    check: str,
    fix: str,
    ours: Session,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first failure is the cause, and its fix is one line."""
    report = examined(broken(name, ours, tmp_path), monkeypatch)
    assert report.cause is not None
    assert (report.cause.check, fix in report.cause.fix) == (check, True), report
    assert "\n" not in report.cause.fix
    several = sum(row.status == "fail" for row in report.rows) > 1
    assert (f"Fix {check} first" in str(report)) == several


def test_without_java_the_cause_is_reported_before_there_is_a_session(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If no session can start, the machine is examined, and Java is the first check."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    cause = deltasource.doctor().cause
    assert cause is not None
    assert (cause.check, cause.fix) == (
        "Java",
        "install Java 17 or 21 and set JAVA_HOME to its folder",
    )
