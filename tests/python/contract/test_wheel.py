# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What must be in the wheel, tried on a copy of the package with a small stand-in for the jar."""

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
    """Answer the folder for the jar, in a copy of the repository, in a path with a space."""
    copy = tmp_path / "a copy"
    leave_out = shutil.ignore_patterns("jars", "dist", "__pycache__")
    shutil.copytree(root / "python", copy / "python", ignore=leave_out)
    for paper in ("LICENSE", "NOTICE"):
        shutil.copy(root / paper, copy)
    # Git does not know the jar; the wheel must take it all the same.
    (copy / "python" / ".gitignore").write_text("jars/\n")
    (copy / "VERSION").write_text(f"{VERSION}\n")
    folder = copy / "python" / "src" / "deltasource" / "jars"
    folder.mkdir()
    return folder


def put(folder: Path, name: str = JAR, version: str = VERSION) -> None:
    with zipfile.ZipFile(folder / name, "w") as jar:
        text = f"Manifest-Version: 1.0\r\nDeltasource-Version: {version}\r\n\r\n"
        jar.writestr("META-INF/MANIFEST.MF", text)


def build(folder: Path) -> tuple[int, str, list[Path]]:
    """Build without a network; answer the exit code, what was said, and the wheels there are."""
    package = folder.parents[2]
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", str(package)]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    return said.returncode, said.stdout + said.stderr, list((package / "dist").glob("*"))


def test_a_whole_wheel_is_built(jars: Path) -> None:
    """One jar, the type marker, the papers, no requirement, and the version of the VERSION file."""
    put(jars)
    code, said, wheels = build(jars)
    assert code == 0, said
    assert [wheel.name for wheel in wheels] == [f"deltasource-{VERSION}-py3-none-any.whl"]
    with zipfile.ZipFile(wheels[0]) as wheel:
        names = wheel.namelist()
        info = f"deltasource-{VERSION}.dist-info"
        metadata = Parser().parsestr(wheel.read(f"{info}/METADATA").decode())
        repository = jars.parents[3]
        for paper in ("LICENSE", "NOTICE"):
            assert wheel.read(f"{info}/licenses/{paper}") == (repository / paper).read_bytes()
    assert [name for name in names if name.endswith(".jar")] == [f"deltasource/jars/{JAR}"]
    assert "deltasource/py.typed" in names
    assert {name.split("/")[0] for name in names} == {"deltasource", info}
    assert metadata["Version"] == VERSION
    assert metadata["License-Expression"] == "Apache-2.0"
    requirements = metadata.get_all("Requires-Dist") or []
    assert [one for one in requirements if "extra ==" not in one] == []


def test_no_jar_is_no_wheel(jars: Path) -> None:
    """Without a jar nothing is built, and the error says how to make one."""
    code, said, wheels = build(jars)
    assert code != 0
    assert wheels == []
    assert "exactly one jar belongs in it, found: none; run `make jar`" in said


def test_two_jars_are_no_wheel(jars: Path) -> None:
    """With a second jar nothing is built, and both are named."""
    put(jars)
    put(jars, "deltasource-spark_4.2_2.13-7.8.8.jar", "7.8.8")
    code, said, wheels = build(jars)
    assert (code != 0, wheels) == (True, [])
    assert JAR in said
    assert "7.8.8.jar" in said


@pytest.mark.parametrize(
    ("name", "version", "complaint"),
    [
        ("deltasource-spark_4.2_2.13-7.8.8.jar", VERSION, f"is not named for version {VERSION}"),
        (f"other-{VERSION}.jar", VERSION, f"is not named for version {VERSION}"),
        (JAR, "7.8.8", "says version 7.8.8"),
    ],
)
def test_a_jar_of_another_version_is_no_wheel(
    name: str, version: str, complaint: str, jars: Path
) -> None:
    """Name and manifest of the jar must both be of the wheel's version."""
    put(jars, name, version)
    code, said, wheels = build(jars)
    assert (code != 0, wheels) == (True, [])
    assert complaint in said


def test_a_wheel_without_the_type_marker_is_not_built(jars: Path) -> None:
    """A package that claims its types must carry the marker."""
    put(jars)
    (jars.parent / "py.typed").unlink()
    code, said, wheels = build(jars)
    assert (code != 0, wheels) == (True, [])
    assert "deltasource/py.typed is missing" in said


def test_a_wheel_without_its_licence_is_not_built(jars: Path) -> None:
    """Both papers of the repository belong in the wheel."""
    put(jars)
    (jars.parents[3] / "NOTICE").unlink()
    code, said, wheels = build(jars)
    assert (code != 0, wheels) == (True, [])
    assert "NOTICE" in said
