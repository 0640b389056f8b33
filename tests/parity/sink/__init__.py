# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The sink beside stock's: the same batches through both give the same table."""
