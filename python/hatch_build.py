# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Checks the wheel that was built: one jar of the same version, py.typed, LICENSE and NOTICE."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

JAR = r"deltasource/_jars/deltasource-spark_4\.2_2\.13-{version}\.jar"
LICENSES = ("LICENSE", "NOTICE")


class WheelContent(BuildHookInterface):  # type: ignore[type-arg] # a build plug-in, which nothing imports
    """Adds LICENSE and NOTICE to the wheel, and deletes a wheel whose content is wrong."""

    def initialize(self, _version: str, build_data: dict[str, Any]) -> None:
        """Add LICENSE and NOTICE, which are in the parent folder."""
        licenses = f"deltasource-{self.metadata.version}.dist-info/licenses"
        for name in LICENSES:
            source = str(Path(self.root).parent / name)
            build_data["force_include"][source] = f"{licenses}/{name}"

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
        required = ["deltasource/py.typed"]
        required += [f"deltasource-{version}.dist-info/licenses/{name}" for name in LICENSES]
        missing = [f"- {name} is missing" for name in required if name not in names]
        if len(jars) != 1:
            found = ", ".join(jars) if jars else "none"
            return [*missing, f"- it must contain exactly one jar, found: {found}; run `make jar`"]
        return missing + _jar_problems(jars[0], content.read(jars[0]), version)


def _jar_problems(name: str, jar: bytes, version: str) -> list[str]:
    problems = []
    if not re.fullmatch(JAR.format(version=re.escape(version)), name):
        problems.append(f"- {name} is not named for version {version}; run `make jar`")
    with zipfile.ZipFile(io.BytesIO(jar)) as content:
        manifest = content.read("META-INF/MANIFEST.MF").decode()
    inside = re.search(r"^Deltasource-Version: (\S+)", manifest, re.MULTILINE)
    if inside is None or inside[1] != version:
        says = "no version" if inside is None else f"version {inside[1]}"
        problems.append(f"- the manifest of {name} says {says}, not {version}; run `make jar`")
    return problems
