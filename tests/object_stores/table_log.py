# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The log of a table in the store, read without Spark."""

import json
from collections.abc import Iterator
from typing import Any

from object_stores.store import ObjectStore


def commits(store: ObjectStore, key: str) -> Iterator[bytes]:
    """The commit files of a table, from version 0 on."""
    version = 0
    while (content := store.get(f"{key}/_delta_log/{version:020}.json")) is not None:
        yield content
        version += 1


def rows(store: ObjectStore, key: str) -> Iterator[int]:
    """The values of `id` in a table to which files were only added, from their statistics."""
    for content in commits(store, key):
        for line in content.splitlines():
            stats = json.loads(line).get("add", {}).get("stats")
            if stats:
                yield from _ids(json.loads(stats))


def _ids(stats: Any) -> range:
    """The ids of a file; its bounds say which, if they are consecutive."""
    if stats["numRecords"] == 0:
        return range(0)
    found = range(stats["minValues"]["id"], stats["maxValues"]["id"] + 1)
    if stats["numRecords"] != len(found):
        raise ValueError(f"not consecutive: {stats}")
    return found
