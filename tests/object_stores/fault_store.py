# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A bucket that is reached through the proxy, which injects faults, and directly."""

import json
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import Request

from object_stores.fault import Fault
from object_stores.fault_proxy import FAULTS
from object_stores.store import DIRECT, ObjectStore, local_server


@dataclass(frozen=True)
class FaultyStore:
    """One bucket at two endpoints."""

    direct: ObjectStore
    proxied: ObjectStore

    def inject(self, faults: Sequence[Fault]) -> None:
        """Replace the faults, and count from 0 again."""
        self._ask("PUT", json.dumps([fault.json() for fault in faults]).encode())

    def injected(self) -> list[int]:
        """Return how often each of the faults was injected."""
        found: list[int] = self._ask("GET", None)
        return found

    def _ask(self, method: str, body: bytes | None) -> Any:
        request = Request(self.proxied.endpoint + FAULTS, body, method=method)
        with DIRECT.open(request, timeout=20) as answer:
            return json.load(answer)


@contextmanager
def faulty_store(store: ObjectStore, folder: Path) -> Generator[FaultyStore]:
    """Start a proxy before a bucket of its own: S3A keeps a file system for each bucket."""
    direct = store.with_bucket("faulty")
    with local_server("object_stores.fault_proxy", store.endpoint, folder=folder) as proxy:
        yield FaultyStore(direct, ObjectStore(proxy, direct.bucket))
