# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a target that ours has had a hand in, beside stock's."""

from collections.abc import Iterator
from itertools import zip_longest

from parity import codec
from parity.sink.script import Outcome, SinkScript


def judged(script: SinkScript, stock: Outcome, other: Outcome) -> list[str]:
    faults = apart(stock, other)
    found = stock.failures[-1]
    condition = (found.condition or found.kind) if found else ""
    if condition != script.fails:
        faults.append(f"stock ends in {condition!r}, not in {script.fails!r}")
    return faults


def apart(stock: object, other: object) -> list[str]:
    """Each place where two outcomes differ."""
    return list(_apart("", codec.plain(stock), codec.plain(other)))


def _apart(where: str, one: object, other: object) -> Iterator[str]:
    """Where two plain values are not the same."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(one.keys() | other.keys()):
            yield from _apart(f"{where}.{key}", one.get(key), other.get(key))
    elif isinstance(one, list) and isinstance(other, list):
        for at, (a, b) in enumerate(zip_longest(one, other)):
            yield from _apart(f"{where}[{at}]", a, b)
    elif one != other:
        yield f"{where}: {one!r} by stock, {other!r} by ours"[:600]
