# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Names of options, and the rules for what they may be."""
