# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Helpers for the tests of users' streams; `deltasource.testing` makes them public."""
