# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Streams the flights from New York in 2013 while they are written: `make demo`."""
