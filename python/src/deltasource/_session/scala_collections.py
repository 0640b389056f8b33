# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Collections of Scala, which Py4J does not convert."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


def elements(collection: Any) -> Iterator[Any]:
    """Return the elements of a collection."""
    iterator = collection.iterator()
    while iterator.hasNext():
        yield iterator.next()
