# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Features that ours does not stream yet. Their scripts are skipped until the feature is removed
from this list."""

FEED = "change feed"
VECTORS = "deletion vectors"

PENDING: frozenset[str] = frozenset()
