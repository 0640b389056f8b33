# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The error of a file that Hadoop reads on a local disk, next to which it keeps a checksum."""

from __future__ import annotations


class ChecksumError(OSError):
    """The file is not the one that its checksum file was written for."""
