# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Files of checkpoints and of table logs, read without Spark."""
