# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What `make release` writes and refuses, on small files without a build."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from release import central_archive, central_rules, wheel
from release.__main__ import Files, Findings, release
from release.source import Source

from support.release_samples import (
    CHANGELOG,
    LINES,
    VERSION,
    artifact,
    git,
    write_checksums,
    write_files,
)

SIGNER = """import pathlib, sys
file = pathlib.Path(sys.argv[-1])
file.with_name(file.name + ".asc").write_text("-----BEGIN PGP SIGNATURE-----" + file.name)
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a clone with one commit and all files of a release, each of them right."""
    root = tmp_path / "a clone"
    for line in LINES:
        (root / "jvm" / "lines" / line).mkdir(parents=True)
        (root / "jvm" / "lines" / line / "Aliases.scala").touch()
    (root / ".gitignore").write_text("target/\ndist/\n")
    (root / "VERSION").write_text(f"{VERSION}\n")
    (root / "CHANGELOG.md").write_text(CHANGELOG)
    git(tmp_path, "init", "--quiet", str(root))
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message", "All")
    write_files(root)
    return root


@pytest.fixture
def signer(tmp_path: Path) -> str:
    """Return a command that writes signatures without a key."""
    script = tmp_path / "signer.py"
    script.write_text(SIGNER)
    return shlex.join([sys.executable, str(script), "--armor"])


def run(clone: Path, sign: str | None, tag: str = f"v{VERSION}") -> Findings:
    maven = clone / "jvm" / "target" / "maven"
    files = Files(maven, clone / "python" / "dist", clone / "jvm" / "lines")
    return release(Source(clone), files, out=clone / "target" / "release", tag=tag, sign=sign)


def test_a_release_has_every_file(clone: Path, signer: str) -> None:
    """The folder has the wheel, a signed archive for Central, SBOMs, notes and digests."""
    assert run(clone, signer) == Findings((), ())
    out = clone / "target" / "release"
    sboms = [f"{artifact(line)}-{VERSION}-cyclonedx.json" for line in LINES]
    archive = f"deltasource-{VERSION}-central.zip"
    others = [f"deltasource-{VERSION}-py3-none-any.whl", "release-notes.md", "SHA256SUMS"]
    assert sorted(file.name for file in out.iterdir()) == sorted([archive, *sboms, *others])
    subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=out, check=True)
    assert (out / "release-notes.md").read_text().endswith("### Added\n\n- A thing.\n")
    with zipfile.ZipFile(out / archive) as content:
        names = content.namelist()
    folder = f"io/github/deltasource/{artifact('4.0')}/{VERSION}"
    jar = f"{folder}/{artifact('4.0')}-{VERSION}.jar"
    assert {jar, f"{jar}.asc", f"{jar}.md5", f"{jar}.sha1"} <= set(names)
    assert len(names) == len(LINES) * 5 * 4


def test_equal_files_give_an_equal_archive(clone: Path, tmp_path: Path) -> None:
    """The archive for Central does not depend on the times and modes of its files."""
    maven = clone / "jvm" / "target" / "maven"
    central_archive.archive(maven, tmp_path / "one.zip")
    for file in central_rules.artifact_files(maven):
        shutil.copyfile(file, tmp_path / "copy")
        file.unlink()
        shutil.copyfile(tmp_path / "copy", file)
        file.chmod(0o600)
    central_archive.archive(maven, tmp_path / "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()


def test_without_a_key_nothing_is_signed(clone: Path) -> None:
    """The files are written all the same, and signing is still to do."""
    found = run(clone, None)
    assert found.errors == ()
    assert found.to_do == ("the files for Maven Central are not signed: set SIGN",)


def test_a_tag_must_name_the_version(clone: Path, signer: str) -> None:
    """The tag v1.0.0 does not release the version 7.8.9."""
    found = run(clone, signer, tag="v1.0.0")
    assert found.to_do == (f"the tag is v1.0.0, but VERSION says {VERSION}",)


def test_changed_files_are_reported(clone: Path, signer: str) -> None:
    """What is released must be what was committed."""
    (clone / "CHANGELOG.md").write_text(f"{CHANGELOG}\n- Another thing.\n")
    (found,) = run(clone, signer).to_do
    assert found.endswith("M CHANGELOG.md")


def test_a_jar_of_another_commit_is_refused(clone: Path, signer: str) -> None:
    """Jars that were built before the last commit are not released."""
    git(clone, "commit", "--quiet", "--allow-empty", "--message", "Another")
    assert [error.split(" was ")[0] for error in run(clone, signer).errors] == [
        f"{artifact(line)}-{VERSION}.jar" for line in LINES
    ]


def test_a_missing_line_is_refused(clone: Path, signer: str) -> None:
    """Each line of Spark must have its artifact."""
    shutil.rmtree(clone / "jvm/target/maven/io/github/deltasource" / artifact("4.2"))
    errors = run(clone, signer).errors
    assert {"1 jars of this version, not 2", "1 SBOMs of this version, not 2"} <= set(errors)


def test_a_wheel_with_another_jar_is_refused(clone: Path, signer: str) -> None:
    """The wheel and Maven must have the same jars."""
    [jar] = (clone / "jvm").rglob(f"*4.0*{VERSION}.jar")
    with zipfile.ZipFile(jar, "a") as content:
        content.writestr("more", "")
    write_checksums(jar.parent)
    (error,) = run(clone, signer).errors
    assert error.endswith("is not the jar in the Maven repository")


def test_a_wheel_that_pypi_would_refuse_is_refused(clone: Path, tmp_path: Path) -> None:
    """`twine check --strict` finds a wheel without a description."""
    whl = tmp_path / f"deltasource-{VERSION}-py3-none-any.whl"
    with zipfile.ZipFile(whl, "w") as content:
        metadata = f"Metadata-Version: 2.4\nName: deltasource\nVersion: {VERSION}\n"
        content.writestr(f"deltasource-{VERSION}.dist-info/METADATA", metadata)
        content.writestr(f"deltasource-{VERSION}.dist-info/WHEEL", "Wheel-Version: 1.0\n")
    (found,) = wheel.problems(whl, clone)
    assert "`long_description` missing" in found


def test_a_wheel_of_more_than_60_mb_is_refused(
    clone: Path, signer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wheel that comes near PyPI's limit is noticed before the upload."""
    monkeypatch.setattr(wheel, "LARGEST", 100)
    (error,) = run(clone, signer).errors
    assert "at most 100" in error
