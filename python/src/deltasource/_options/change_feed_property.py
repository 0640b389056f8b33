# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The property of a table that turns its change feed on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PROPERTY: Final = "delta.enableChangeDataFeed"


def is_enabled(properties: Mapping[str, str]) -> bool:
    """Whether the properties of a table turn its change feed on."""
    return properties.get(PROPERTY, "").lower() == "true"
