# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The commands of `python -m deltasource`."""
