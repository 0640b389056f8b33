# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Keeping tables up to date: changes that are applied, net changes, snapshots."""
