# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The commands, a module for each thing they look at; `__main__` runs them."""
