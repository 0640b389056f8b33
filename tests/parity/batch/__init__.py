# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Batch writes and reads through the data source, compared with stock."""
