# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The client of the driver: starts it, kills it, and collects what it reports."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from soak.query_end import QueryEnd
from soak.stream import SoakStream
from support.json_process import JsonProcess, ProcessError


class StreamsDriver:
    """The driver of all streams; one that ends by itself is a finding, and is restarted.

    Attributes:
        life: How many drivers there were before this one.
        ends: How often queries ended, by condition.
        findings: What was wrong.
        batches: The last batch of each stream, as far as it is known.
    """

    def __init__(self, start: Callable[[], JsonProcess], streams: Sequence[SoakStream]) -> None:
        self._start = start
        self._streams = {stream.name: stream for stream in streams}
        self._process = start()
        self.life = 0
        self.ends: Counter[str] = Counter()
        self.findings: list[str] = []
        self.batches: dict[str, int] = {}

    def ready(self) -> None:
        """Wait until the process has started."""
        self._process.ready()

    def tend(self, *, denied: bool) -> None:
        """Start the queries that have ended; `denied` is whether the store refused requests."""
        self._call("tend")
        self._take_ends(denied=denied)

    def settle(self, *, denied: bool) -> None:
        """Restart all queries, and wait until they have read everything."""
        self._call("settle")
        self._take_ends(denied=denied)

    def stop(self, stream: str) -> None:
        self._call("stop", stream=stream)

    def interrupt(self, stream: str) -> None:
        self._call("interrupt", stream=stream)

    def measure(self) -> Mapping[str, Any]:
        """What `Driver.measure` returns; empty if the driver died."""
        found: dict[str, Any] = self._call("measure") or {}
        for stream, batch in found.get("batches", {}).items():
            self.batches[stream] = max(batch, self.batches.get(stream, 0))
        return found

    def rows(self, stream: str) -> Mapping[str, int]:
        return self._call("rows", stream=stream) or {}

    def kill(self) -> None:
        """Kill the process, and start another one."""
        self._process.kill()
        self._process.close()
        self.life += 1
        self._process = self._start()
        self._process.ready()

    def close(self) -> None:
        self._process.close()

    def _call(self, name: str, **arguments: Any) -> Any:
        try:
            return self._process.call(name, **arguments)
        except ProcessError as error:
            self.findings.append(str(error))
            self.kill()
            return None

    def _take_ends(self, *, denied: bool) -> None:
        for fields in self._call("ends") or ():
            end = QueryEnd(**fields)
            stream = self._streams[end.stream]
            self.ends[end.condition] += 1
            if not end.is_expected(stream, denied=denied):
                self.findings.append(f"{end.stream} ended: {end.error or 'without an error'}")
