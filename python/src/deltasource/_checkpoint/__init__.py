# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Reads checkpoints, schema logs and table logs, without Spark."""
