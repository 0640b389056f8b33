# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Scripts about planning alone: logs written as text, a source asked directly, no row ever read."""
