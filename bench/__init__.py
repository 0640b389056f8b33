# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""delta-spark and deltasource side by side: how long planning takes, and what it costs."""
