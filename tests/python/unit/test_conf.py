# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Spark settings: existing ones, and how lists are merged."""

from __future__ import annotations

from pathlib import Path

import pytest

from deltasource._session import conf

OURS = "/opt/a b/ours.jar"


@pytest.mark.parametrize(
    ("given", "merged"),
    [
        ("", OURS),
        ("/x.jar", f"{OURS},/x.jar"),
        (f"/x.jar, {OURS} ,/y.jar", f"{OURS},/x.jar,/y.jar"),
        ("/x.jar,file:///opt/a%20b/ours.jar", f"{OURS},/x.jar"),
        ("file:/opt/a%20b/ours.jar", OURS),
    ],
)
def test_our_entry_comes_first_and_once(given: str, merged: str) -> None:
    """Our entry moves to the front, in any spelling; the user's keep their order."""
    assert conf.prepend(OURS, given) == merged
    assert conf.prepend(OURS, conf.prepend(OURS, given)) == merged


def test_only_the_first_entry_leads() -> None:
    """An entry after another one does not lead the list."""
    assert conf.is_first(OURS, f"{OURS}:/x.jar", ":")
    assert not conf.is_first(OURS, f"/x.jar:{OURS}", ":")
    assert not conf.is_first(OURS, "", ":")


@pytest.mark.parametrize(
    ("given", "merged"),
    [
        ("", [conf.GUARD, conf.DELTA_EXTENSION]),
        ("a.B", [conf.GUARD, "a.B", conf.DELTA_EXTENSION]),
        (f"{conf.DELTA_EXTENSION}, a.B", [conf.GUARD, conf.DELTA_EXTENSION, "a.B"]),
        (f"a.B,{conf.GUARD}", [conf.GUARD, "a.B", conf.DELTA_EXTENSION]),
    ],
)
def test_extensions_keep_the_users(given: str, merged: list[str]) -> None:
    """The guard is first, Delta's extension is listed once, the user's keep their order."""
    assert conf.with_guard(given).split(",") == merged


@pytest.mark.parametrize(
    ("line", "settings"),
    [
        ("", {}),
        ("pyspark-shell", {}),
        ("--jars a.jar,b.jar pyspark-shell", {"spark.jars": "a.jar,b.jar"}),
        ("--jars 'a b.jar' x", {"spark.jars": "a b.jar"}),
        ("--jars=a.jar x", {"spark.jars": "a.jar"}),
        ("--driver-class-path a:b x", {"spark.driver.extraClassPath": "a:b"}),
        ("--packages g:n:1 x", {"spark.jars.packages": "g:n:1"}),
        ("--conf spark.sql.extensions=a.B x", {"spark.sql.extensions": "a.B"}),
        ("--conf=spark.jars=a.jar x", {"spark.jars": "a.jar"}),
        ("-c spark.jars=a=b.jar x", {"spark.jars": "a=b.jar"}),
        ("--conf spark.app.name=jars x", {}),
    ],
)
def test_submit_arguments_are_read(
    line: str, settings: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """PYSPARK_SUBMIT_ARGS is parsed like spark-submit does, for the settings we need."""
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", line)
    assert conf.submit_arguments() == settings


def test_the_defaults_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The settings in spark-defaults.conf are read, since a builder would replace them."""
    (tmp_path / "spark-defaults.conf").write_text(
        "# spark.jars commented\n"
        "spark.driver.extraClassPath   /usr/lib/a.jar:/usr/lib/b.jar\n"
        " spark.jars=/x.jar,\\\n   /y.jar\n"
        "spark.sql.extensions : a.B \n"
        "spark.app.name other\n"
        "garbage\n"
    )
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    assert conf.defaults() == {
        "spark.driver.extraClassPath": "/usr/lib/a.jar:/usr/lib/b.jar",
        "spark.jars": "/x.jar,/y.jar",
        "spark.sql.extensions": "a.B",
    }


def test_no_defaults_file_means_no_defaults(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a defaults file nothing is set."""
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path))
    assert conf.defaults() == {}


@pytest.mark.parametrize(
    ("packages", "found"),
    [
        ("", None),
        ("g:n:1,io.delta:delta-sharing-spark_2.13:4.0.0", None),
        ("g:n:1, io.delta:delta-spark_4.2_2.13:4.4.0", "io.delta:delta-spark_4.2_2.13:4.4.0"),
        ("io.delta:delta-core_2.12:2.4.0", "io.delta:delta-core_2.12:2.4.0"),
    ],
)
def test_a_second_delta_is_detected_among_packages(packages: str, found: str | None) -> None:
    """Only a package with Delta's classes is a second Delta."""
    key = "spark.jars.packages"
    assert conf.second_delta({key: packages}) == (None if found is None else (key, found))
