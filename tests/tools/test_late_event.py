# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The picture of docs/apply-changes.md."""

from __future__ import annotations

from xml.etree import ElementTree

from demo.late_event import OUT, draw


def test_the_picture_is_the_one_that_is_drawn() -> None:
    """The file is what the script writes, and it is XML."""
    assert OUT.read_text(encoding="utf-8") == draw()
    assert ElementTree.fromstring(draw()).tag.endswith("svg")
