# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The samples of a soak."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence

from object_stores.store import ObjectStore
from object_stores.store_request import RequestKind
from soak.sample import Sample
from soak.stream import SoakStream
from soak.streams_driver import StreamsDriver


class Measurements:
    """Measures the driver and counts its requests, which the server then forgets."""

    def __init__(
        self, driver: StreamsDriver, store: ObjectStore, streams: Sequence[SoakStream]
    ) -> None:
        self._driver = driver
        self._store = store
        self._on_s3 = [stream.name for stream in streams if stream.source.on_s3]
        self._batches: Mapping[str, int] = {}
        self._life = 0
        self.samples: list[Sample] = []
        self.start()

    def start(self) -> None:
        """Count time and requests from now on."""
        self._store.take_recorded()
        self._began = self._measured = time.monotonic()

    def measure(self) -> None:
        """Add a sample, unless the driver has died."""
        found = self._driver.measure()
        if not found:
            return
        requests = self._store.take_recorded()
        now = time.monotonic()
        uses: dict[str, float] = found["uses"]
        batches = self._new_batches(found["batches"])
        # How often a stream looks for a commit that is not there yet depends on the time.
        found_objects = [one for one in requests if one.kind is not RequestKind.HEAD_MISSING]
        if batches > 0:
            uses["requests"] = len(found_objects) / batches
        self.samples.append(
            Sample(
                hours=(now - self._began) / 3600,
                minutes=(now - self._measured) / 60,
                life=self._driver.life,
                uses=uses,
                requests=dict(Counter(request.kind.value for request in requests)),
                backlog=found["backlog"],
            )
        )
        self._measured = now

    def _new_batches(self, batches: Mapping[str, int]) -> int:
        """Batches on S3 since the last sample; 0 if there was another driver then."""
        known = self._batches if self._life == self._driver.life else {}
        self._batches, self._life = batches, self._driver.life
        both = [name for name in self._on_s3 if name in known and name in batches]
        return sum(batches[name] - known[name] for name in both)
