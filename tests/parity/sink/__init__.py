# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The sink compared with stock's: the same batches must make the same table."""
