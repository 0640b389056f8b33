# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Random scripts: what makes them up by their seeds, runs them and shrinks those that fail."""
