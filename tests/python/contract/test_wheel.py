# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The content of the wheel, tested on a copy of the package with fake jars."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from email.parser import Parser
from pathlib import Path

import pytest

from deltasource._session.spark_lines import SPARK_LINES
from support.package_samples import write_jar

VERSION = "7.8.9"
JARS = {f"deltasource-spark_{line}_2.13-{VERSION}.jar": line for line in SPARK_LINES}
JAR = next(iter(JARS))


@pytest.fixture
def jars(root: Path, tmp_path: Path) -> Path:
    """Return the folder for the jars, in a copy of the repository, in a path with a space."""
    copy = tmp_path / "a copy"
    leave_out = shutil.ignore_patterns("_jars", "sboms", "dist", "__pycache__")
    shutil.copytree(root / "python", copy / "python", ignore=leave_out)
    for paper in ("LICENSE", "NOTICE", "README.md"):
        shutil.copy(root / paper, copy)
    pages = copy / "docs" / "reference" / "errors"
    pages.mkdir(parents=True)
    shutil.copy(root / "docs" / "reference" / "errors" / "delta.md", pages)
    # Git ignores the jars; the wheel must include them.
    (copy / "python" / ".gitignore").write_text("_jars/\nsboms/\n")
    (copy / "VERSION").write_text(f"{VERSION}\n")
    folder = copy / "python" / "src" / "deltasource" / "_jars"
    folder.mkdir()
    return folder


def put(folder: Path, jars: Mapping[str, str] = JARS, version: str = VERSION) -> None:
    """Write jars, given by name, each with the line in its manifest, and their SBOMs."""
    sboms = folder.parents[2] / "sboms"
    sboms.mkdir(exist_ok=True)
    for name, line in jars.items():
        write_jar(folder / name, version, line)
        (sboms / f"{Path(name).stem}-cyclonedx.json").write_text(f'{{"of": "{name}"}}')


def build(folder: Path) -> tuple[int, str, list[Path]]:
    """Build without a network; return the exit code, the output and the wheels."""
    package = folder.parents[2]
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", str(package)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr, list((package / "dist").glob("*"))


def test_a_complete_wheel_is_built(jars: Path) -> None:
    """It has a jar and an SBOM for each line, the type marker, the licences, no requirement."""
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
        assert wheel.read("deltasource/error_pages/delta.md").startswith(b"# Delta's conditions")
        for jar in JARS:
            sbom = wheel.read(f"{info}/sboms/{Path(jar).stem}-cyclonedx.json")
            assert sbom.decode() == f'{{"of": "{jar}"}}'
    assert [name for name in names if name.endswith(".jar")] == [
        f"deltasource/_jars/{jar}" for jar in JARS
    ]
    assert "deltasource/py.typed" in names
    assert {name.split("/")[0] for name in names} == {"deltasource", info}
    assert metadata["Version"] == VERSION
    assert metadata["License-Expression"] == "Apache-2.0"
    requirements = metadata.get_all("Requires-Dist") or []
    assert [one for one in requirements if "extra ==" not in one] == []


def test_equal_sources_give_an_equal_wheel(jars: Path) -> None:
    """The bytes depend on the content only: not on times, modes or a variable."""
    put(jars)
    build(jars)
    [wheel] = (jars.parents[2] / "dist").glob("*.whl")
    first = wheel.read_bytes()
    wheel.unlink()
    for file in jars.parents[2].rglob("*"):
        if file.is_file():
            file.chmod(0o600)
            os.utime(file, (1_000_000_000, 1_000_000_000))
    code, output, _ = build(jars)
    assert code == 0, output
    assert wheel.read_bytes() == first


def test_the_readmes_links_work_on_pypi(jars: Path) -> None:
    """The description is README.md; its relative links have the address of the version's tag."""
    put(jars)
    _, _, [wheel] = build(jars)
    with zipfile.ZipFile(wheel) as content:
        text = content.read(f"deltasource-{VERSION}.dist-info/METADATA").decode()
    metadata = Parser().parsestr(text)
    description = metadata.get_payload()
    assert isinstance(description, str)
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert description.startswith("# deltasource\n")
    page = f"https://github.com/deltasource/deltasource/blob/v{VERSION}"
    assert f"]({page}/docs/reference/options.md)" in description
    assert f"]({page}/docs/reference/object-stores.md#what-was-tested)" in description
    assert [link for link in re.findall(r"\]\(([^)]+)\)", description) if ":" not in link] == []


def test_without_an_sbom_no_wheel_is_built(jars: Path) -> None:
    """Each jar has a document that lists what is in it."""
    put(jars)
    [first, *_] = sorted((jars.parents[2] / "sboms").iterdir())
    first.unlink()
    code, output, wheels = build(jars)
    assert (code != 0, wheels) == (True, [])
    assert f"sboms/{first.name} is missing" in output


def test_without_a_jar_no_wheel_is_built(jars: Path) -> None:
    """If one jar is missing, nothing is built, and the error says how to build it."""
    put(jars)
    (jars / JAR).unlink()
    code, output, wheels = build(jars)
    assert code != 0
    assert wheels == []
    assert f"deltasource/_jars/{JAR} is missing" in output
    assert "Run `make jar`" in output


@pytest.mark.parametrize("name", ["deltasource-spark_4.2_2.13-7.8.8.jar", f"other-{VERSION}.jar"])
def test_with_another_jar_no_wheel_is_built(name: str, jars: Path) -> None:
    """A jar of another version or with another name does not get into the wheel."""
    put(jars)
    put(jars, {name: "4.2"})
    code, output, wheels = build(jars)
    assert (code != 0, wheels) == (True, [])
    assert f"{name} does not belong there" in output


@pytest.mark.parametrize(
    ("line", "version", "complaint"),
    [
        (
            "4.0",
            "7.8.8",
            f"Version in the manifest of deltasource/_jars/{JAR} is 7.8.8",
        ),
        (
            "4.2",
            VERSION,
            f"Spark-Line in the manifest of deltasource/_jars/{JAR} is 4.2",
        ),
    ],
)
def test_a_jar_that_is_not_what_its_name_says_is_refused(
    line: str, version: str, complaint: str, jars: Path
) -> None:
    """The manifest of a jar must have the wheel's version and the line in the jar's name."""
    put(jars)
    put(jars, {JAR: line}, version)
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
