# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The files of a release, small and without a build."""

from __future__ import annotations

import hashlib
import subprocess
import zipfile
from pathlib import Path

from release import central_rules

VERSION = "7.8.9"
LINES = ("4.0", "4.2")
CHANGELOG = f"# Changelog\n\n## [{VERSION}] - 2026-11-24\n\n### Added\n\n- A thing.\n"
POM = """<project>
<groupId>io.github.deltasource</groupId><artifactId>{artifact}</artifactId>
<version>{version}</version><name>n</name><description>d</description><url>https://u</url>
<licenses><license><name>Apache-2.0</name><url>https://l</url></license></licenses>
<developers><developer><name>a</name></developer></developers>
<scm><url>https://s</url><connection>scm:s</connection>
<developerConnection>scm:s</developerConnection></scm></project>"""


def artifact(line: str) -> str:
    return f"deltasource-spark_{line}_2.13"


def git(folder: Path, *arguments: str) -> str:
    author = ("-c", "user.name=a", "-c", "user.email=a@b")
    command = ["git", "-C", str(folder), *author, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def write_checksums(folder: Path) -> None:
    for file in central_rules.artifact_files(folder):
        for kind in central_rules.CHECKSUMS:
            digest = hashlib.new(kind, file.read_bytes()).hexdigest()
            file.with_name(f"{file.name}.{kind}").write_text(digest)


def write_files(root: Path) -> None:
    """Write the Maven repository and the wheel of the commit that is checked out."""
    dist = root / "python" / "dist"
    dist.mkdir(parents=True)
    with zipfile.ZipFile(dist / f"deltasource-{VERSION}-py3-none-any.whl", "w") as whl:
        metadata = f"Metadata-Version: 2.4\nName: deltasource\nVersion: {VERSION}\n"
        text = "Description-Content-Type: text/markdown\n\nText\n"
        info = f"deltasource-{VERSION}.dist-info"
        whl.writestr(f"{info}/METADATA", metadata + text)
        whl.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\n")
        for line in LINES:
            name = artifact(line)
            folder = root / "jvm/target/maven/io/github/deltasource" / name / VERSION
            folder.mkdir(parents=True)
            (folder / f"{name}-{VERSION}.pom").write_text(
                POM.format(artifact=name, version=VERSION)
            )
            for suffix in ("-sources.jar", "-javadoc.jar", "-cyclonedx.json"):
                (folder / f"{name}-{VERSION}{suffix}").write_text(suffix)
            jar = folder / f"{name}-{VERSION}.jar"
            with zipfile.ZipFile(jar, "w") as content:
                commit = f"Deltasource-Git-Commit: {git(root, 'rev-parse', 'HEAD')}\r\n"
                content.writestr("META-INF/MANIFEST.MF", commit)
            whl.write(jar, f"deltasource/_jars/{jar.name}")
            write_checksums(folder)
