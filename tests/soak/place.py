# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Where the tables, targets and checkpoints are."""

from dataclasses import dataclass
from pathlib import Path

from object_stores.fault_store import FaultyStore


@dataclass(frozen=True)
class Place:
    """A local folder, and a bucket behind a proxy that injects faults."""

    folder: Path
    store: FaultyStore

    def uri(self, key: str, *, on_s3: bool) -> str:
        return self.store.proxied.uri(key) if on_s3 else str(self.folder / key)
