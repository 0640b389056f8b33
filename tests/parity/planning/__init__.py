# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Planning scripts: logs are written as text, sources are called directly, no row is read."""
