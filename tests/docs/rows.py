# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The form of the tables' rows: what, and the tests that show it."""

from collections.abc import Mapping
from typing import TypeAlias

Rows: TypeAlias = Mapping[str, tuple[str, ...]]
"""What it is, and names of Scala tests or of parity scripts."""
