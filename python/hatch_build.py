# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Completes and checks the wheel: a jar and SBOM for each line, py.typed, licenses, error pages."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LINES = ("4.0", "4.1", "4.2")
LICENSES = ("LICENSE", "NOTICE")
ERROR_PAGES = "deltasource/error_pages"


class WheelContent(BuildHookInterface):  # type: ignore[type-arg] # a build plug-in, which nothing imports
    """Adds what is outside the package to the wheel, and deletes a wheel with wrong content."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add LICENSE, NOTICE and the pages of errors from the repository, and the jars' SBOMs."""
        licenses = f"deltasource-{self.metadata.version}.dist-info/licenses"
        for name in LICENSES:
            source = str(Path(self.root).parent / name)
            build_data["force_include"][source] = f"{licenses}/{name}"
        if version == "standard":
            pages = str(Path(self.root).parent / "docs" / "reference" / "errors")
            build_data["force_include"][pages] = ERROR_PAGES
            build_data["sbom_files"] += map(str, sorted(Path(self.root, "sboms").glob("*.json")))

    def finalize(self, version: str, _build_data: dict[str, Any], artifact_path: str) -> None:
        """Check the finished wheel; an editable one has no content to check."""
        if version != "standard":
            return
        wheel = Path(artifact_path)
        problems = _problems(wheel, self.metadata.version)
        if problems:
            wheel.unlink()
            raise SystemExit("\n".join(["wheel: not built, its content is wrong", *problems]))


def _problems(wheel: Path, version: str) -> list[str]:
    with zipfile.ZipFile(wheel) as content:
        names = content.namelist()
        jars = [name for name in names if name.endswith(".jar")]
        expected = {_jar(line, version): line for line in LINES}
        info = f"deltasource-{version}.dist-info"
        required = ["deltasource/py.typed", f"{ERROR_PAGES}/delta.md", *expected]
        required += [f"{info}/licenses/{name}" for name in LICENSES]
        required += [f"{info}/sboms/{Path(jar).stem}-cyclonedx.json" for jar in expected]
        missing = [f"- {name} is missing" for name in required if name not in names]
        more = [f"- {name} does not belong there" for name in jars if name not in expected]
        wrong = [
            problem
            for name in jars
            for problem in _jar_problems(name, content.read(name), expected.get(name), version)
        ]
    problems = [*missing, *more, *wrong]
    return [*problems, "Run `make jar` to build the jars again."] if problems else []


def _jar(line: str, version: str) -> str:
    return f"deltasource/_jars/deltasource-spark_{line}_2.13-{version}.jar"


def _jar_problems(name: str, jar: bytes, line: str | None, version: str) -> list[str]:
    with zipfile.ZipFile(io.BytesIO(jar)) as content:
        manifest = content.read("META-INF/MANIFEST.MF").decode()
    expected = {"Deltasource-Version": version, "Deltasource-Spark-Line": line or ""}
    found = {
        key: match[1]
        for key in expected
        if (match := re.search(rf"^{key}: (\S+)", manifest, re.MULTILINE))
    }
    return [
        f"- {key} in the manifest of {name} is {found.get(key, 'missing')}, not {value}"
        for key, value in expected.items()
        if line and found.get(key) != value
    ]
