# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Compares a target that ours wrote to with stock's."""

from collections.abc import Iterator
from itertools import zip_longest

from parity.harness import codec
from parity.sink.script import Outcome, SinkScript


def outcome_faults(script: SinkScript, stock: Outcome, other: Outcome) -> list[str]:
    faults = differences(stock, other)
    found = stock.failures[-1]
    condition = (found.condition or found.kind) if found else ""
    if condition != script.fails:
        faults.append(f"stock ends in {condition!r}, not in {script.fails!r}")
    return faults


def differences(stock: object, other: object) -> list[str]:
    """All differences between two outcomes."""
    return list(_differences("", codec.plain(stock), codec.plain(other)))


def _differences(where: str, one: object, other: object) -> Iterator[str]:
    """All differences between two JSON values."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(one.keys() | other.keys()):
            yield from _differences(f"{where}.{key}", one.get(key), other.get(key))
    elif isinstance(one, list) and isinstance(other, list):
        for at, (a, b) in enumerate(zip_longest(one, other)):
            yield from _differences(f"{where}[{at}]", a, b)
    elif one != other:
        yield f"{where}: {one!r} by stock, {other!r} by ours"[:600]
