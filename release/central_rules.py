# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What Maven Central demands of the files that are uploaded.

The rules are those of its page "Requirements". Central checks them only after the upload, so they
are checked here first.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

CHECKSUMS: Final = ("md5", "sha1")
SIGNATURE: Final = ".asc"
NEEDED: Final = (".pom", ".jar", "-sources.jar", "-javadoc.jar")
POM_FIELDS: Final = (
    "name",
    "description",
    "url",
    "licenses/license/name",
    "licenses/license/url",
    "developers/developer/name",
    "scm/connection",
    "scm/developerConnection",
    "scm/url",
)


def artifact_files(repository: Path) -> list[Path]:
    """Return the files of a repository that need checksums and a signature, sorted."""
    derived = {f".{kind}" for kind in CHECKSUMS} | {SIGNATURE}
    files = (file for file in repository.rglob("*") if file.is_file())
    return sorted(file for file in files if file.suffix not in derived)


def problems(repository: Path) -> list[str]:
    """Return every rule that a folder in the layout of a Maven repository breaks.

    Signatures are left out: `signature_problems` checks them.
    """
    poms = sorted(repository.rglob("*.pom"))
    if not poms:
        return [f"{repository} has no POM"]
    artifacts = [problem for pom in poms for problem in _artifact_problems(repository, pom)]
    files = artifact_files(repository)
    checksums = [problem for file in files for problem in _checksum_problems(file)]
    return [*artifacts, *checksums]


def signature_problems(repository: Path) -> list[str]:
    """Return the files without a signature, or with one that Central cannot read."""
    signatures = [file.with_name(file.name + SIGNATURE) for file in artifact_files(repository)]
    missing = [f"{file.name} is missing" for file in signatures if not file.is_file()]
    wrong = [
        f"{file.name} is not an armored signature"
        for file in signatures
        if file.is_file() and not file.read_bytes().startswith(b"-----BEGIN PGP SIGNATURE-----")
    ]
    return [*missing, *wrong]


def _artifact_problems(repository: Path, pom: Path) -> Iterator[str]:
    """Yield what is wrong with the names of an artifact's files and with its POM."""
    for suffix in NEEDED:
        if not (pom.parent / f"{pom.stem}{suffix}").is_file():
            yield f"{pom.stem}{suffix} is missing"
    project = ElementTree.parse(pom).getroot()
    *group, artifact, version = pom.parent.relative_to(repository).parts
    expected = {"groupId": ".".join(group), "artifactId": artifact, "version": version}
    for field, value in expected.items():
        if (found := _text(project, field)) != value:
            yield f"{pom.name}: {field} is {found or 'missing'}, but its folder says {value}"
    if pom.stem != f"{artifact}-{version}":
        yield f"{pom.name}: the name must be {artifact}-{version}.pom"
    if version.endswith("-SNAPSHOT"):
        yield f"{pom.name}: {version} is not a release"
    for field in POM_FIELDS:
        if not _text(project, field):
            yield f"{pom.name}: {field} is missing"
    for dependency in project.iterfind("{*}dependencies/{*}dependency"):
        if not _text(dependency, "version"):
            yield f"{pom.name}: {_text(dependency, 'artifactId')} has no version"


def _checksum_problems(file: Path) -> Iterator[str]:
    content = file.read_bytes()
    for kind in CHECKSUMS:
        checksum = file.with_name(f"{file.name}.{kind}")
        if not checksum.is_file():
            yield f"{checksum.name} is missing"
        elif checksum.read_text().strip() != hashlib.new(kind, content).hexdigest():
            yield f"{checksum.name} is not the checksum of {file.name}"


def _text(element: ElementTree.Element, path: str) -> str:
    found = element.findtext("/".join(f"{{*}}{step}" for step in path.split("/")), "")
    return found.strip()
