# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The flights of New York 2013, written day by day and followed by a stream: `make demo`."""
