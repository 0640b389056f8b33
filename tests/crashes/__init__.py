# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Streams from Delta to Delta that are killed: no row is lost or duplicated."""
