# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Spark sessions and what they need: Java, PySpark, jars and settings."""
