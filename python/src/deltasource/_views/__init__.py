# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Live views of queries: in a terminal, and in notebooks."""
