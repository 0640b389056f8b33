# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The options of readers and writers: names, values and validation."""
