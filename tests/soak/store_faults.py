# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Faults of the store for some seconds, and how often each kind was injected."""

import random
from collections import Counter
from collections.abc import Sequence

from object_stores.fault import Fault, FaultKind
from object_stores.fault_store import FaultyStore


class StoreFaults:
    """Injects faults, and lifts them.

    Attributes:
        injected: How many requests have failed, by the kind of fault.
    """

    def __init__(self, store: FaultyStore, draw: random.Random) -> None:
        self._store = store
        self._draw = draw
        self._faults: Sequence[Fault] = ()
        self._faults_before: Sequence[Fault] = ()
        self.injected: Counter[FaultKind] = Counter()

    @property
    def denied(self) -> bool:
        """Whether retries cannot overcome a fault of this round or the one before.

        A query reports an error some time after the request that failed.
        """
        faults = (*self._faults, *self._faults_before)
        return not all(fault.kind.is_transient for fault in faults)

    def inject(self) -> None:
        """Draw up to four faults."""
        self._faults = [Fault.drawn(self._draw) for _ in range(self._draw.randint(1, 4))]
        self._store.inject(self._faults)

    def lift(self) -> None:
        """End a round: count its faults, and let all requests pass."""
        for fault, count in zip(self._faults, self._store.injected(), strict=True):
            self.injected[fault.kind] += count
        self._store.inject(())
        self._faults_before, self._faults = self._faults, ()
