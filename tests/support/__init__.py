# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What tests of several folders share: sample files, fake queries, and the summary of a CI run."""
