# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Random histories of changes, applied to a table in batches and compared with a fold over them."""
