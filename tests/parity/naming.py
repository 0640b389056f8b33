# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""How Delta names a checkpoint where its path does not fit."""


def java_hash(text: str) -> int:
    """`String.hashCode`, by which Delta names a checkpoint in its confs."""
    number = 0
    for char in text:
        number = (31 * number + ord(char)) & 0xFFFFFFFF
    return number - (1 << 32) if number >= 1 << 31 else number
