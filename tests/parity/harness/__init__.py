# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What runs a script on either side: worker processes, tables, traces, comparing and recording."""
