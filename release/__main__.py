# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Put the files of a release into one folder, and check them. Nothing is published.

Without --tag it is a rehearsal: what a release would refuse is listed, and is no error.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from release import central_archive, central_rules, wheel
from release.source import Source

ROOT: Final = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Files:
    """Where `make release` finds what the build made."""

    maven: Path
    dist: Path
    lines: Path


@dataclass(frozen=True)
class Findings:
    """What is wrong with the files, and what is still to do before they can be published."""

    errors: tuple[str, ...]
    to_do: tuple[str, ...]


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the folder, print its files, and return 1 if something is wrong with them."""
    parser = argparse.ArgumentParser(prog="release", description=__doc__)
    parser.add_argument("--tag", help="the tag of the release: v0.1.0 for version 0.1.0")
    parser.add_argument("--sign", help="a command that writes FILE.asc when called with FILE")
    parser.add_argument("--out", type=Path, default=ROOT / "target" / "release")
    given = parser.parse_args(arguments)
    maven = ROOT / "jvm" / "target" / "maven"
    files = Files(maven, ROOT / "python" / "dist", ROOT / "jvm" / "lines")
    found = release(Source(ROOT), files, out=given.out, tag=given.tag, sign=given.sign)
    for problem in found.errors:
        print(f"error: {problem}", file=sys.stderr)
    for problem in found.to_do:
        print(f"{'error' if given.tag else 'to do before a release'}: {problem}", file=sys.stderr)
    for file in sorted(given.out.iterdir()):
        print(f"{file.stat().st_size:>12,} {file}")
    return 1 if found.errors or (given.tag and found.to_do) else 0


def release(
    source: Source, files: Files, *, out: Path, tag: str | None, sign: str | None
) -> Findings:
    """Write everything that a release consists of to a folder."""
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    version = source.version
    with tempfile.TemporaryDirectory() as folder:
        repository = Path(folder)
        central_archive.copy_version(files.maven, version, repository)
        if sign:
            central_archive.sign(repository, sign)
        central_archive.archive(repository, out / f"deltasource-{version}-central.zip")
        sboms = [Path(shutil.copy(file, out)) for file in repository.rglob("*-cyclonedx.json")]
        wheels = [Path(shutil.copy(file, out)) for file in files.dist.glob(f"*-{version}-*.whl")]
        (out / "release-notes.md").write_text(source.notes.text, encoding="utf-8")
        _write_digests(out)
        lines = [line.name for line in sorted(files.lines.iterdir())]
        jars = [file for line in lines for file in repository.rglob(f"*_{line}_*-{version}.jar")]
        errors = [
            *_count_problems("jars", jars, len(lines)),
            *_count_problems("SBOMs", sboms, len(lines)),
            *_count_problems("wheels", wheels, 1),
            *central_rules.problems(repository),
            *source.jar_problems(jars),
            *(problem for file in wheels for problem in wheel.problems(file, repository)),
        ]
        signatures = central_rules.signature_problems(repository)
    to_do = [
        *(source.tag_problems(tag) if tag else []),
        *source.change_problems(),
        *source.notes.problems,
        *(signatures if sign else ["the files for Maven Central are not signed: set SIGN"]),
    ]
    return Findings(tuple(errors), tuple(to_do))


def _count_problems(kind: str, found: Sequence[Path], expected: int) -> list[str]:
    return (
        [] if len(found) == expected else [f"{len(found)} {kind} of this version, not {expected}"]
    )


def _write_digests(folder: Path) -> None:
    """Write SHA256SUMS, which `sha256sum --check` reads."""
    lines = [
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"
        for file in sorted(folder.iterdir())
    ]
    (folder / "SHA256SUMS").write_text("".join(lines))


if __name__ == "__main__":
    sys.exit(main())
