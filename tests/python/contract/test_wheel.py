# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The content of the wheel, tested on a copy of the package with a fake jar."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

VERSION = "7.8.9"
JAR = f"deltasource-spark_4.2_2.13-{VERSION}.jar"


@pytest.fixture
def jars(root: Path, tmp_path: Path) -> Path:
    """Return the folder for the jar, in a copy of the repository, in a path with a space."""
    copy = tmp_path / "a copy"
    leave_out = shutil.ignore_patterns("_jars", "dist", "__pycache__")
    shutil.copytree(root / "python", copy / "python", ignore=leave_out)
    for paper in ("LICENSE", "NOTICE"):
        shutil.copy(root / paper, copy)
    # Git ignores the jar; the wheel must include it.
    (copy / "python" / ".gitignore").write_text("_jars/\n")
    (copy / "VERSION").write_text(f"{VERSION}\n")
    folder = copy / "python" / "src" / "deltasource" / "_jars"
    folder.mkdir()
    return folder


def put(folder: Path, name: str = JAR, version: str = VERSION) -> None:
    with zipfile.ZipFile(folder / name, "w") as jar:
        text = f"Manifest-Version: 1.0\r\nDeltasource-Version: {version}\r\n\r\n"
        jar.writestr("META-INF/MANIFEST.MF", text)


def build(folder: Path) -> tuple[int, str, list[Path]]:
    """Build without a network; return the exit code, the output and the wheels."""
    package = folder.parents[2]
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", str(package)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr, list((package / "dist").glob("*"))


def test_a_complete_wheel_is_built(jars: Path) -> None:
    """It has one jar, the type marker, the licences, no requirement, and the version in VERSION."""
    put(jars)
    code, output, wheels = build(jars)
    assert code == 0, output
    assert [wheel.name for wheel in wheels] == [f"deltasource-{VERSION}-py3-none-any.whl"]
    with zipfile.ZipFile(wheels[0]) as wheel:
        names = wheel.namelist()
        info = f"deltasource-{VERSION}.dist-info"
        metadata = Parser().parsestr(wheel.read(f"{info}/METADATA").decode())
        repository = jars.parents[3]
        for paper in ("LICENSE", "NOTICE"):
            assert wheel.read(f"{info}/licenses/{paper}") == (repository / paper).read_bytes()
    assert [name for name in names if name.endswith(".jar")] == [f"deltasource/_jars/{JAR}"]
    assert "deltasource/py.typed" in names
    assert {name.split("/")[0] for name in names} == {"deltasource", info}
    assert metadata["Version"] == VERSION
    assert metadata["License-Expression"] == "Apache-2.0"
    requirements = metadata.get_all("Requires-Dist") or []
    assert [one for one in requirements if "extra ==" not in one] == []


def test_without_a_jar_no_wheel_is_built(jars: Path) -> None:
    """Without a jar nothing is built, and the error says how to build one."""
    code, output, wheels = build(jars)
    assert code != 0
    assert wheels == []
    assert "it must contain exactly one jar, found: none; run `make jar`" in output


def test_with_two_jars_no_wheel_is_built(jars: Path) -> None:
    """With a second jar nothing is built, and both are named."""
    put(jars)
    put(jars, "deltasource-spark_4.2_2.13-7.8.8.jar", "7.8.8")
    code, output, wheels = build(jars)
    assert (code != 0, wheels) == (True, [])
    assert JAR in output
    assert "7.8.8.jar" in output


@pytest.mark.parametrize(
    ("name", "version", "complaint"),
    [
        ("deltasource-spark_4.2_2.13-7.8.8.jar", VERSION, f"is not named for version {VERSION}"),
        (f"other-{VERSION}.jar", VERSION, f"is not named for version {VERSION}"),
        (JAR, "7.8.8", "says version 7.8.8"),
    ],
)
def test_with_a_jar_of_another_version_no_wheel_is_built(
    name: str, version: str, complaint: str, jars: Path
) -> None:
    """The jar's name and manifest must both have the wheel's version."""
    put(jars, name, version)
    code, output, wheels = build(jars)
    assert (code != 0, wheels) == (True, [])
    assert complaint in output


def test_a_wheel_without_the_type_marker_is_not_built(jars: Path) -> None:
    """A typed package must include the marker."""
    put(jars)
    (jars.parent / "py.typed").unlink()
    code, output, wheels = build(jars)
    assert (code != 0, wheels) == (True, [])
    assert "deltasource/py.typed is missing" in output


def test_a_wheel_without_its_licence_is_not_built(jars: Path) -> None:
    """LICENSE and NOTICE must be in the wheel."""
    put(jars)
    (jars.parents[3] / "NOTICE").unlink()
    code, output, wheels = build(jars)
    assert (code != 0, wheels) == (True, [])
    assert "NOTICE" in output
