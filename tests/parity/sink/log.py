# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A table's log without what is another in each run: times, sizes, and names made up."""

import json
import re
from collections.abc import Mapping, Set
from operator import itemgetter
from pathlib import Path
from typing import Any

MOVING = {
    "createdTime",
    "deletionTimestamp",
    "executionTimeMs",
    "fileSizeHistogram",
    "inCommitTimestamp",
    "inCommitTimestampOpt",
    "lastUpdated",
    "modificationTime",
    "numOutputBytes",
    "pathOrInlineDv",
    "predicate",
    "rewriteTimeMs",
    "scanTimeMs",
    "size",
    "tableSizeBytes",
    "timestamp",
    "txnId",
}
"""Keys whose values are left out."""

REPEATED = {"allFiles", "metadata", "protocol"}
"""What a checksum file says that the commits say too."""

VERSION = 20 * "[0-9]"
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
NUMBERED = re.compile(r"#\d+L?")
"""Spark numbers the columns of its plans, differently in each process."""
PREFIX = re.compile(r"^[0-9A-Za-z]{2}/(?=part-)")


class Names:
    """Ids by the order in which they are met, and the keys whose values are left out."""

    def __init__(self, moving: Set[str]) -> None:
        self.moving = moving
        self._known: dict[str, str] = {}

    def steady(self, text: str) -> str:
        def number(found: re.Match[str]) -> str:
            return self._known.setdefault(found[0], f"<{len(self._known)}>")

        return UUID.sub(number, NUMBERED.sub("#", PREFIX.sub("", text)))


def read(table: Path, moving: Set[str] = MOVING) -> tuple[object, ...]:
    """Commits and checksum files with their content, and whether there is a checkpoint.

    Of which version is a matter of time: ours writes them beside the batches that follow.
    """
    names = Names(moving)
    log = table / "_delta_log"
    commits = ((file.name, _commit(file, names)) for file in sorted(log.glob(VERSION + ".json")))
    checksums = ((file.name, _checksum(file, names)) for file in sorted(log.glob(VERSION + ".crc")))
    return (*commits, *checksums, ("a checkpoint", (log / "_last_checkpoint").is_file()))


def _commit(file: Path, names: Names) -> object:
    """Files are removed in any order."""
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    added = [_steady(line, names) for line in lines if "remove" not in line]
    removed = [_steady(line, names) for line in lines if "remove" in line]
    return tuple(added + sorted(removed, key=json.dumps))


def _checksum(file: Path, names: Names) -> object:
    told = json.loads(file.read_text())
    found = _steady({key: told[key] for key in sorted(told.keys() - REPEATED)}, names)
    if found.get("setTransactions"):
        found["setTransactions"].sort(key=itemgetter("appId"))
    return found


def _steady(value: Any, names: Names) -> Any:
    if isinstance(value, Mapping):
        return {
            names.steady(key): None if key in names.moving else _steady(item, names)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [_steady(item, names) for item in value]
    return names.steady(value) if isinstance(value, str) else value
