# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The workflow that releases a tag."""

from __future__ import annotations

import re
from pathlib import Path

import pytest


@pytest.fixture
def workflow(root: Path) -> str:
    """Return the text of the workflow."""
    return (root / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")


def test_each_action_has_an_exact_version(workflow: str) -> None:
    """A moving version, such as v4, could change what is released."""
    actions = re.findall(r"uses: (\S+)", workflow)
    assert actions
    assert [action for action in actions if not re.search(r"@v\d+\.\d+\.\d+$", action)] == []


def test_the_tag_is_tested_before_it_is_released(workflow: str) -> None:
    """The workflow runs what a merge needs, then `make release` with the tag and a signature."""
    tests = workflow.index("run: .ci/run\n")
    build = workflow.index('run: make release TAG="$GITHUB_REF_NAME" SIGN="gpg ')
    assert tests < build < workflow.index("$PORTAL/upload") < workflow.index("pypi-publish")


def test_contributing_lists_the_secrets(workflow: str, root: Path) -> None:
    """CONTRIBUTING.md names each credential of the workflow."""
    contributing = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    secrets = set(re.findall(r"(?:secrets|vars)\.(\w+)", workflow))
    assert secrets
    assert [name for name in secrets if f"`{name}`" not in contributing] == []


def test_make_release_uploads_nothing(root: Path) -> None:
    """Only the workflow publishes: the tool and its target have no upload."""
    [target] = re.findall(
        r"^release:.*\n(?:\t.*\n)+", (root / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    texts = [
        target,
        *(file.read_text(encoding="utf-8") for file in (root / "release").glob("*.py")),
    ]
    assert [text for text in texts if re.search(r"twine upload|curl|https?://", text)] == []
