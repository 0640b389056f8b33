# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Ten streams of every kind in one driver for hours, with writers, kills and store faults."""
