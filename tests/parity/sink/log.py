# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A table's log without what differs in each run: times, sizes and generated names."""

import json
import re
from collections.abc import Mapping, Set
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyspark

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
"""Keys whose values are masked."""

REPEATED = {"allFiles", "metadata", "protocol"}
"""Keys of a checksum file that repeat the commits."""

VERSION = 20 * "[0-9]"
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
NUMBERED = re.compile(r"#\d+L?")
"""The expression ids of Spark's plans, which differ by process."""
ENGINE = f"Apache-Spark/{pyspark.__version__} "
PREFIX = re.compile(r"^[0-9A-Za-z]{2}/(?=part-)")


class Names:
    """Numbers ids in the order they appear, and masks the values of some keys."""

    def __init__(self, moving: Set[str]) -> None:
        self.moving = moving
        self._known: dict[str, str] = {}

    def steady(self, text: str) -> str:
        def number(found: re.Match[str]) -> str:
            return self._known.setdefault(found[0], f"<{len(self._known)}>")

        named = text.replace(ENGINE, "Apache-Spark/<version> ")
        return UUID.sub(number, NUMBERED.sub("#", PREFIX.sub("", named)))


def read(table: Path, moving: Set[str] = MOVING) -> tuple[object, ...]:
    """Commits and checksum files with their content, and whether there is a checkpoint.

    Its version depends on timing: ours writes checkpoints in the background.
    """
    names = Names(moving)
    log = table / "_delta_log"
    commits = ((file.name, _commit(file, names)) for file in sorted(log.glob(VERSION + ".json")))
    checksums = ((file.name, _checksum(file, names)) for file in sorted(log.glob(VERSION + ".crc")))
    return (*commits, *checksums, ("a checkpoint", (log / "_last_checkpoint").is_file()))


def _commit(file: Path, names: Names) -> object:
    """A commit's actions; removed files are sorted, as their order varies."""
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    added = [_steady(line, names) for line in lines if "remove" not in line]
    removed = [_steady(line, names) for line in lines if "remove" in line]
    return tuple(added + sorted(removed, key=json.dumps))


def _checksum(file: Path, names: Names) -> object:
    checksum = json.loads(file.read_text())
    found = _steady({key: checksum[key] for key in sorted(checksum.keys() - REPEATED)}, names)
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
