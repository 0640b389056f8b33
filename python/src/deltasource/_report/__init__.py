# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A page about the life of a stream."""
