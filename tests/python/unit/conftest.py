# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Unit tests run without Spark, so one that takes a minute hides a loop."""

from __future__ import annotations

from pathlib import Path

import pytest

SECONDS = 60
"""Most take less than a tenth of a second."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    folder = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(folder) and item.get_closest_marker("timeout") is None:
            item.add_marker(pytest.mark.timeout(SECONDS))
