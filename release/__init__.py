# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Puts the files of a release into one folder. It publishes nothing."""
