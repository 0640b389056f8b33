# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The doctor's report on sessions that are hard to set up: clusters, Connect, odd settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest

from deltasource import DoctorCheck
from deltasource._session import bundle, conf, doctor, jvm

OURS = "/opt/ours.jar"
FETCHED = ["spark://driver/jars/ours.jar"]


@dataclass
class FakeSession:
    """A fake session."""

    jars: Sequence[str] = ()
    master: str = "spark://host:7077"
    settings: dict[str, str] = field(default_factory=dict)

    def class_origin(self, _name: str) -> str:
        return OURS

    def executor_jars(self) -> Sequence[str]:
        return self.jars

    def started_with(self) -> dict[str, str]:
        return {"spark.master": self.master, **self.settings}

    def setting(self, key: str) -> str:
        return self.settings.get(key, "")


def executors(session: FakeSession) -> DoctorCheck:
    return doctor._executors(cast(jvm.Session, session))


def test_executors_must_get_the_jar() -> None:
    """Remote executors without the jar fail the check; a jar at a fixed local path is a warning."""
    assert executors(FakeSession(FETCHED)).status == "ok"
    assert executors(FakeSession()).status == "fail"
    assert executors(FakeSession(["spark://driver/jars/not-ours.jar"])).status == "fail"
    looks = FakeSession(settings={conf.EXECUTOR_CLASS_PATH: "/x:/their/ours.jar"})
    assert executors(looks).status == "warn"
    assert executors(FakeSession(master="local[2]")).status == "ok"


def test_a_catalog_that_is_not_deltas_is_reported() -> None:
    """No catalog fails, another one warns, Delta's is ok."""
    assert doctor._catalog(conf.DELTA_CATALOG).status == "ok"
    none, other = doctor._catalog(""), doctor._catalog("other.Catalog")
    assert (none.status, other.status) == ("fail", "warn")
    assert f"{conf.CATALOG}={conf.DELTA_CATALOG}" in none.fix
    assert "other.Catalog" in other.found


def test_the_log_stores_on_s3_are_reported() -> None:
    """By scheme, with a hint that Delta's default is for one driver."""
    assert doctor._log_store({}).found.count("only one driver") == 2
    one = doctor._log_store({"spark.delta.logStore.s3.impl": "other.Store"}).found
    assert one.startswith("s3a://: Delta's default")
    assert one.endswith("s3://: other.Store")
    for_all = doctor._log_store({"delta.logStore.class": "other.Store"}).found
    assert for_all == "s3a://: other.Store; s3://: other.Store"


def test_streams_of_managed_tables_are_reported_where_there_is_unity_catalog() -> None:
    """By default Delta's V2 connector reads them; with mode NONE our source does."""

    def row(**settings: str) -> DoctorCheck:
        named = {key.replace("_", "."): value for key, value in settings.items()}
        return doctor._managed_tables(cast(jvm.Session, FakeSession(settings=named)))

    unity = {"spark_sql_catalog_main": "io.unitycatalog.spark.UCSingleCatalog"}
    assert row().status == "ok"
    assert row(spark_sql_catalog_main="org.other.Catalog").status == "ok"
    warned = row(**unity)
    assert warned.status == "warn"
    assert f"{conf.V2_MODE}=NONE" in warned.fix
    assert "spark.sql.catalog.main" in warned.fix
    strict = row(**unity, spark_databricks_delta_v2_enableMode="strict")
    assert strict.status == "warn"
    ours = row(**unity, spark_databricks_delta_v2_enableMode="none")
    assert (ours.status, ours.fix) == ("ok", "")


def test_a_misspelled_conf_of_ours_is_reported() -> None:
    """It has no effect, and Spark says nothing; the nearest one is named."""
    fine = doctor._confs({"spark.deltasource.log.reuse": "false"})
    assert (fine.status, fine.found) == ("ok", "spark.deltasource.log.reuse=false")
    row = doctor._confs({"spark.deltasource.log.prefetchCommit": "0", "spark.deltasource.x": "1"})
    assert row.status == "warn"
    assert row.found.startswith(
        "spark.deltasource.log.prefetchCommit is not a conf; did you mean "
        "spark.deltasource.log.prefetchCommits?, got 0; spark.deltasource.x is none of spark."
    )
    invalid = doctor._confs({"spark.deltasource.log.reuse": "1"})
    assert invalid.found == "spark.deltasource.log.reuse must be true or false, got 1"


def test_a_missing_extension_is_reported_with_the_whole_setting() -> None:
    """The recommended setting keeps the existing extensions."""
    row = doctor._extensions({conf.EXTENSIONS: f"a.B,{conf.DELTA_EXTENSION}"})
    assert (row.status, conf.GUARD in row.found) == ("fail", True)
    assert f"{conf.EXTENSIONS}={conf.GUARD},a.B,{conf.DELTA_EXTENSION}" in row.fix


@pytest.mark.parametrize(
    ("version", "status"), [("2.13.18", "ok"), ("2.12.20", "fail"), ("3.3.1", "fail")]
)
def test_scala_must_match_the_jar(version: str, status: str) -> None:
    """A Spark built for another Scala version cannot load the jar."""
    assert doctor._scala(version).status == status


def test_another_jar_on_the_class_path_is_named(tmp_path: Path) -> None:
    """The report names the jar that the class was loaded from, which is not ours."""
    row = doctor._class("DeltaSource", str(tmp_path / "theirs.jar"), "4.2.0")
    assert (row.status, str(tmp_path / "theirs.jar") in row.found) == ("fail", True)


def test_a_missing_class_is_reported_without_our_jar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The doctor works even if this package has lost its jar."""
    monkeypatch.setattr(bundle, "_FOLDER", tmp_path)
    row = doctor._class("DeltaSource", None, "4.2.0")
    assert (row.status, "install the wheel" in row.fix) == ("fail", True)
