# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Benchmarks delta-spark and deltasource on the same tables: times, and counts of calls."""
