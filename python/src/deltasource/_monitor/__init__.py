# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Monitors queries and runs them to their end."""
