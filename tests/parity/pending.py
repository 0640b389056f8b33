# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What ours does not stream yet. Scripts about it are written and wait; taking a name out of here
puts them into every run."""

FEED = "change feed"
VECTORS = "deletion vectors"

PENDING: frozenset[str] = frozenset()
