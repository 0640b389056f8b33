# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The doctor's checks that need no session, its report, and the commands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from deltasource import DoctorCheck, Report
from deltasource.__main__ import main
from deltasource._session import bundle, environment
from support.package_samples import VERSION, fake, write_jar


@pytest.mark.parametrize(
    ("version", "status"),
    [
        ("17.0.15", "ok"),
        ("21", "ok"),
        ("1.8.0_402", "fail"),
        ("11.0.2", "fail"),
        ("unknown", "fail"),
    ],
)
def test_java_must_be_17_or_newer(version: str, status: str) -> None:
    """A Java that Spark 4 does not support fails, with what to install."""
    row = environment.check_java_version(version)
    assert (row.status, bool(row.fix)) == (status, status == "fail")


def test_java_is_found_where_spark_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """JAVA_HOME decides which Java is checked, and a missing one fails."""
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert environment.check_java().status == "fail"
    fake(tmp_path, "bin/java", 'openjdk version "11.0.2" 2019')
    assert environment.check_java().found == "11.0.2"


@pytest.mark.parametrize(
    ("version", "status"), [("4.0.5", "ok"), ("4.2.9", "ok"), ("4.3.0", "fail"), ("4.20.0", "fail")]
)
def test_spark_must_be_of_a_line_with_a_jar(version: str, status: str) -> None:
    """Any patch release of a line with a jar is ok, another line is not."""
    assert environment.check_spark_version(version).status == status


def test_a_jar_is_checked_by_its_manifest(tmp_path: Path) -> None:
    """Version and Spark line of a jar must be the package's; both are reported."""
    fine = environment.check_jar("jar", write_jar(tmp_path / "1.jar", VERSION), "4.2.1")
    assert (fine.status, "commit 0123456789" in fine.found) == ("ok", True)
    older = environment.check_jar("jar", write_jar(tmp_path / "2.jar", "0.0.1"), "4.2.1")
    assert (older.status, "0.0.1" in older.found, VERSION in older.fix) == ("fail", True, True)
    other_line = write_jar(tmp_path / "3.jar", VERSION, "4.1")
    assert environment.check_jar("jar", other_line, "4.2.1").status == "fail"
    assert environment.check_jar("jar", other_line, "4.1.4").status == "ok"
    foreign = write_jar(tmp_path / "4.jar", None)
    assert environment.check_jar("jar", foreign, "4.2.1").status == "fail"
    assert environment.check_jar("jar", tmp_path / "none.jar", "4.2.1").status == "fail"


def test_a_package_without_its_jar_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package whose jar is missing fails the check rather than with a traceback."""
    monkeypatch.setattr(bundle, "_FOLDER", tmp_path)
    row = environment.check_package_jar()
    assert (row.status, str(tmp_path) in row.found) == ("fail", True)


def test_a_delta_in_sparks_own_folder_is_detected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A Delta in Spark's jars folder is named, since it may win on an executor."""
    (tmp_path / "jars").mkdir()
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    assert environment.check_spark_home().status == "ok"
    jar = tmp_path / "jars" / "delta-spark_4.2_2.13-4.4.0.jar"
    jar.touch()
    row = environment.check_spark_home()
    assert (row.status, row.found) == ("warn", str(jar))


def test_the_workers_python_is_compared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers with another Python version fail, with another installation warn; both have a fix."""
    ours = f"{sys.version_info[0]}.{sys.version_info[1]}"
    assert environment.check_worker_python(sys.executable).status == "ok"
    relative = os.path.relpath(sys.executable)
    assert environment.check_worker_python(relative).status == "ok"
    assert environment.check_worker_python(str(fake(tmp_path, "same", ours))).status == "warn"
    other = environment.check_worker_python(str(fake(tmp_path, "other", "3.1")))
    assert (other.status, "3.1" in other.found) == ("fail", True)
    assert other.fix.startswith(f"set PYSPARK_PYTHON={sys.executable}")
    monkeypatch.setenv("PYSPARK_PYTHON", str(tmp_path / "none"))
    assert environment.check_worker_python().status == "fail"


REPORT = Report(
    (
        DoctorCheck(check="a", status="ok", found="1"),
        DoctorCheck(check="long", status="warn", found="2", fix="do this"),
    )
)


def test_a_report_is_ok_unless_a_check_fails() -> None:
    """A report with warnings is ok, one with a failure is not."""
    assert Report(()).ok
    assert REPORT.ok
    assert not Report((*REPORT.rows, DoctorCheck(check="b", status="fail", found="3"))).ok


def test_a_report_is_written_in_lines() -> None:
    """The report has a line for each check, with the fix below it."""
    assert str(REPORT) == "ok    a     1\nwarn  long  2\n            -> do this"


def test_a_report_is_plain_values() -> None:
    """The report converts to plain values, with a format version."""
    assert REPORT.to_dict() == {
        "schema_version": 1,
        "ok": True,
        "rows": [
            {"check": "a", "status": "ok", "found": "1", "fix": ""},
            {"check": "long", "status": "warn", "found": "2", "fix": "do this"},
        ],
    }


def test_the_jar_command_prints_the_path_only(capsys: pytest.CaptureFixture[str]) -> None:
    """The path alone is printed to standard output, ready for a shell."""
    assert main(["jar"]) == 0
    assert capsys.readouterr() == (f"{bundle.jar_path()}\n", "")
    assert main(["jar", "--spark", "4.0.5"]) == 0
    assert capsys.readouterr() == (f"{bundle.jar_path('4.0')}\n", "")


def test_a_missing_jar_exits_with_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An installation without its jar is reported on standard error, with exit code 3."""
    monkeypatch.setattr(bundle, "_FOLDER", tmp_path)
    assert main(["jar"]) == 3
    out, err = capsys.readouterr()
    assert (out, err.startswith("[DELTASOURCE_JAR]")) == ("", True)


@pytest.mark.parametrize(("status", "code"), [("ok", 0), ("warn", 0), ("fail", 1)])
def test_the_doctor_command_exits_with_its_verdict(
    status: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A failed check gives exit code 1, and --format json prints only JSON."""
    report = Report((DoctorCheck(check="a", status=status, found="1"),))  # type: ignore[arg-type] # drawn
    monkeypatch.setattr("deltasource._cli.installation.doctor", lambda: report)
    assert main(["doctor"]) == code
    assert capsys.readouterr().out == f"{report}\n"
    assert main(["doctor", "--format", "json"]) == code
    assert json.loads(capsys.readouterr().out) == report.to_dict()
    assert main(["doctor", "--format", "csv"]) == code
    assert capsys.readouterr().out == f"check,status,found,fix\na,{status},1,\n"


def test_a_report_is_shown_as_a_table_in_a_shell() -> None:
    """An interactive shell prints `repr`, which is not one long line."""
    report = Report((DoctorCheck(check="Java", status="fail", found="11", fix="install 17"),))
    assert repr(report) == str(report)
    assert len(repr(report).splitlines()) == 2


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """`--version` prints the version of the package."""
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert (ended.value.code, capsys.readouterr().out) == (
        0,
        f"deltasource {bundle.package_version()}\n",
    )


@pytest.mark.parametrize("line", [[], ["doctr"], ["doctor", "--format", "xml"]])
def test_wrong_usage_exits_with_2(line: list[str]) -> None:
    """Wrong arguments give exit code 2."""
    with pytest.raises(SystemExit) as ended:
        main(line)
    assert ended.value.code == 2


def test_the_commands_work_from_a_shell() -> None:
    """`python -m deltasource` is the same command."""
    line = [sys.executable, "-m", "deltasource", "jar"]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    assert done.stdout == f"{bundle.jar_path()}\n"
