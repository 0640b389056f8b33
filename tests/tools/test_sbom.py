# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The SBOM of each bundle names what is in it."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

from support.build import LINES, ROOT

VERSION = (ROOT / "VERSION").read_text(encoding="utf-8").strip()


def base(line: str) -> str:
    return f"deltasource-spark_{line}_2.13-{VERSION}"


@pytest.fixture(params=LINES)
def line(request: pytest.FixtureRequest) -> str:
    """Return each line of Spark."""
    line: str = request.param
    return line


@pytest.fixture
def sbom(line: str) -> Any:
    """Return the parsed document of a line."""
    path = ROOT / "jvm" / "target" / line / f"{base(line)}-cyclonedx.json"
    return json.loads(path.read_text(encoding="utf-8"))


def digest(component: Any) -> str:
    [found] = component["hashes"]
    assert found["alg"] == "SHA-256"
    content: str = found["content"]
    return content


def sha256(jar: Path) -> str:
    return hashlib.sha256(jar.read_bytes()).hexdigest()


def test_the_sbom_is_about_the_jar(sbom: Any, line: str) -> None:
    """It has the digest of the bundle, and no time, so that it can be built again."""
    about = sbom["metadata"]["component"]
    assert (sbom["bomFormat"], sbom["specVersion"]) == ("CycloneDX", "1.6")
    assert (
        about["purl"] == f"pkg:maven/io.github.deltasource/{base(line).rsplit('-', 1)[0]}@{VERSION}"
    )
    assert digest(about) == sha256(ROOT / "jvm" / "target" / line / f"{base(line)}.jar")
    assert "timestamp" not in sbom["metadata"]


def test_the_sbom_names_each_published_jar(sbom: Any, line: str) -> None:
    """Its components are the jars that the bundle was made of, with their digests."""
    published = {jar.name: sha256(jar) for jar in (ROOT / "jvm/target" / line / "stock").iterdir()}
    named = {}
    for component in sbom["components"]:
        # That of delta-spark is what the bundle made of the published one.
        [*ancestors] = component.get("pedigree", {}).get("ancestors", [])
        original = ancestors[0] if ancestors else component
        assert (component["group"], component["name"]) == (original["group"], original["name"])
        named[f"{component['name']}-{component['version']}.jar"] = digest(original)
    assert named == published
    purls = [component["purl"] for component in sbom["components"]]
    [uses] = [one for one in sbom["dependencies"] if "dependsOn" in one]
    assert sorted(uses["dependsOn"]) == sorted(purls)


def test_every_component_has_a_licence(sbom: Any) -> None:
    """All that is bundled may be passed on, under the licence that NOTICE names."""
    for component in [sbom["metadata"]["component"], *sbom["components"]]:
        assert component["licenses"] == [{"license": component["licenses"][0]["license"]}]
        assert component["licenses"][0]["license"]["id"] == "Apache-2.0"


def test_the_sbom_says_what_was_changed(sbom: Any) -> None:
    """delta-spark is not as published: the document names the classes that differ."""
    [changed] = [one for one in sbom["components"] if "pedigree" in one]
    assert changed["name"].startswith("delta-spark_")
    assert "hashes" not in changed
    notes = changed["pedigree"]["notes"]
    delta = "org/apache/spark/sql/delta"
    assert f"{delta}/sources/DeltaSource.class" in notes
    assert f"{delta}/sources/UpstreamDeltaDataSource" in notes
    assert f"Changed: {delta}/Snapshot.class" in notes


def test_notice_and_sbom_name_the_same(sbom: Any) -> None:
    """NOTICE lists each library with its version; those inside the kernel are listed by both."""
    notice = re.sub(r"\s+", " ", (ROOT / "NOTICE").read_text(encoding="utf-8"))
    groups = re.findall(r"((?:[a-z0-9-]+, )*[a-z0-9-]+) (\d+\.\d+\.\d+)\b", notice)
    listed = {(name, version) for names, version in groups for name in names.split(", ")}
    inside = [one for component in sbom["components"] for one in component.get("components", [])]
    kernels = [one for one in inside if one["name"].startswith("jackson")]
    assert len(kernels) == 4
    named = {
        (re.sub(r"_.*", "", component["name"]), component["version"])
        for component in [*sbom["components"], *kernels]
    }
    assert named == listed
