# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Maven Central's rules: the built artifacts follow them, and each broken rule is found."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from release import central_archive, central_rules

from support.build import LINE, LINES, ROOT
from support.release_samples import POM, VERSION, artifact, write_checksums

NAME = artifact("4.0")
BASE = f"{NAME}-{VERSION}"
FOLDER = f"io/github/deltasource/{NAME}/{VERSION}"
SIGNATURE = "-----BEGIN PGP SIGNATURE-----\n"

Fault = Callable[[Path], object]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a repository that follows all rules."""
    folder = tmp_path / FOLDER
    folder.mkdir(parents=True)
    (folder / f"{BASE}.pom").write_text(POM.format(artifact=NAME, version=VERSION))
    for suffix in (".jar", "-sources.jar", "-javadoc.jar"):
        (folder / f"{BASE}{suffix}").write_text(suffix)
    write_checksums(folder)
    for file in central_rules.artifact_files(tmp_path):
        file.with_name(f"{file.name}.asc").write_text(SIGNATURE)
    return tmp_path


def in_pom(old: str, new: str) -> Fault:
    """Return a fault: other text in the POM, with checksums that fit it."""

    def change(folder: Path) -> None:
        pom = folder / f"{BASE}.pom"
        text = pom.read_text()
        assert old in text
        pom.write_text(text.replace(old, new))
        write_checksums(folder)

    return change


def without(suffix: str) -> Fault:
    """Return a fault: a missing file."""
    return lambda folder: (folder / f"{BASE}{suffix}").unlink()


def other_content(folder: Path) -> None:
    """Change the jar, but not its checksums."""
    (folder / f"{BASE}.jar").write_text("other")


def test_a_repository_that_follows_the_rules_has_no_problems(repository: Path) -> None:
    """The sample is right, so that each fault below is the only one."""
    assert central_rules.problems(repository) == []
    assert central_rules.signature_problems(repository) == []


@pytest.mark.parametrize(
    ("fault", "problem"),
    [
        (without("-sources.jar"), f"{BASE}-sources.jar is missing"),
        (without("-javadoc.jar"), f"{BASE}-javadoc.jar is missing"),
        (without(".jar"), f"{BASE}.jar is missing"),
        (without(".jar.md5"), f"{BASE}.jar.md5 is missing"),
        (without(".pom.sha1"), f"{BASE}.pom.sha1 is missing"),
        (
            other_content,
            f"{BASE}.jar.md5 is not the checksum of {BASE}.jar",
        ),
        (in_pom("<name>n</name>", ""), f"{BASE}.pom: name is missing"),
        (in_pom("<name>n</name>", "<name> </name>"), f"{BASE}.pom: name is missing"),
        (in_pom("<description>d</description>", ""), f"{BASE}.pom: description is missing"),
        (in_pom("<url>https://u</url>", ""), f"{BASE}.pom: url is missing"),
        (in_pom("<url>https://l</url>", ""), f"{BASE}.pom: licenses/license/url is missing"),
        (in_pom("<name>a</name>", ""), f"{BASE}.pom: developers/developer/name is missing"),
        (in_pom("<url>https://s</url>", ""), f"{BASE}.pom: scm/url is missing"),
        (
            in_pom("<connection>scm:s</connection>", ""),
            f"{BASE}.pom: scm/connection is missing",
        ),
        (
            in_pom(f"<version>{VERSION}</version>", "<version>1</version>"),
            f"{BASE}.pom: version is 1, but its folder says {VERSION}",
        ),
        (
            in_pom("<groupId>io.github.deltasource</groupId>", ""),
            f"{BASE}.pom: groupId is missing, but its folder says io.github.deltasource",
        ),
        (
            in_pom(
                "<scm>",
                "<dependencies><dependency><artifactId>x</artifactId></dependency></dependencies>"
                "<scm>",
            ),
            f"{BASE}.pom: x has no version",
        ),
    ],
)
def test_each_broken_rule_is_found(fault: Fault, problem: str, repository: Path) -> None:
    """Central would refuse the upload; the problem names the file and the rule."""
    fault(repository / FOLDER)
    assert problem in central_rules.problems(repository)


def test_a_snapshot_is_refused(repository: Path) -> None:
    """Central has releases only."""
    version = f"{VERSION}-SNAPSHOT"
    folder = repository / FOLDER.replace(VERSION, version)
    (repository / FOLDER).rename(folder)
    for file in list(folder.iterdir()):
        file.rename(folder / file.name.replace(VERSION, version))
    (folder / f"{NAME}-{version}.pom").write_text(POM.format(artifact=NAME, version=version))
    write_checksums(folder)
    assert central_rules.problems(repository) == [
        f"{NAME}-{version}.pom: {version} is not a release"
    ]


def test_a_missing_signature_is_found(repository: Path) -> None:
    """Each file needs one, and it must be armored."""
    folder = repository / FOLDER
    (folder / f"{BASE}.pom.asc").unlink()
    (folder / f"{BASE}.jar.asc").write_bytes(b"\x89binary")
    assert central_rules.signature_problems(repository) == [
        f"{BASE}.pom.asc is missing",
        f"{BASE}.jar.asc is not an armored signature",
    ]


def test_an_empty_repository_is_refused(tmp_path: Path) -> None:
    """No POM at all is not a repository without problems."""
    assert central_rules.problems(tmp_path) == [f"{tmp_path} has no POM"]


def test_the_built_artifacts_follow_the_rules(tmp_path: Path) -> None:
    """`make publish-local` made an artifact for each line, as Central asks for it."""
    version = (ROOT / "VERSION").read_text(encoding="utf-8").strip()
    central_archive.copy_version(ROOT / "jvm" / "target" / "maven", version, tmp_path)
    assert central_rules.problems(tmp_path) == []
    poms = sorted(pom.parent.parent.name for pom in tmp_path.rglob("*.pom"))
    assert poms == [artifact(line) for line in LINES]
    assert len(list(tmp_path.rglob("*-cyclonedx.json"))) == len(LINES)


def test_the_addresses_are_those_of_the_python_package() -> None:
    """PyPI and Maven Central show the same project page."""
    project = (ROOT / "python" / "pyproject.toml").read_text(encoding="utf-8")
    [page] = re.findall(r'^Homepage = "(.+)"$', project, re.MULTILINE)
    [pom] = (ROOT / "jvm" / "target" / "maven").rglob(f"{artifact(LINE)}-*.pom")
    text = pom.read_text(encoding="utf-8")
    assert f"<url>{page}</url>" in text
    assert f"<connection>scm:git:{page}.git</connection>" in text
    [readme] = re.findall(r"\]\((https://\S+?)/blob/", project)
    assert readme == page
