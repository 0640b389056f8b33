# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""An argument K/N: the K-th of N parts."""

import argparse


def fraction(text: str) -> tuple[int, int]:
    """Return K and N; for the `type` of an argument."""
    number, _, count = text.partition("/")
    if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
        raise argparse.ArgumentTypeError(f"must be like 2/3, got {text}")
    return int(number), int(count)
