# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Sessions and what they are made of: Java, PySpark, jars and confs."""
