# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The hash by which Delta's confs name a checkpoint."""


def java_hash(text: str) -> int:
    """Java's `String.hashCode`; Delta's confs name a checkpoint by the hash of its path."""
    number = 0
    for char in text:
        number = (31 * number + ord(char)) & 0xFFFFFFFF
    return number - (1 << 32) if number >= 1 << 31 else number
