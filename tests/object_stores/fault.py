# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A fault between S3A and the store, and the requests it hits."""

import random
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any


class FaultKind(Enum):
    """What happens to a request."""

    SLOW_DOWN = "503 SlowDown"
    INTERNAL_ERROR = "500 InternalError"
    RESET = "the connection is reset before the request reaches the store"
    RESET_BODY = "the connection is reset in the middle of the answer"
    LOST_ANSWER = "the store answers, and the connection is reset"
    HANG = "no answer, until the client gives up"
    EXPIRED = "400 ExpiredToken"
    DENIED = "403 AccessDenied"
    REDIRECTED = "301 PermanentRedirect"
    OTHER_REGION = "400 AuthorizationHeaderMalformed"

    @property
    def is_transient(self) -> bool:
        """Whether trying again helps."""
        return self not in PERMANENT


PERMANENT = {
    FaultKind.EXPIRED,
    FaultKind.DENIED,
    FaultKind.REDIRECTED,
    FaultKind.OTHER_REGION,
}


@dataclass(frozen=True, kw_only=True)
class Fault:
    """Hits `times` requests, after `skip` others of the same kind have passed."""

    kind: FaultKind
    methods: Sequence[str] = ("GET", "HEAD", "PUT", "POST", "DELETE")
    part: str = ""
    """Part of the path or the query."""
    skip: int = 0
    times: int = 1

    @property
    def is_transient(self) -> bool:
        """Whether trying again helps, and whoever reads tries again.

        Spark reads its checkpoint once, and S3A does not resume a body that was cut off twice, or
        that never came.
        """
        reads = "GET" in self.methods and self.part in ("", "checkpoint")
        cut = self.kind is FaultKind.HANG or (self.kind is FaultKind.RESET_BODY and self.times > 1)
        return self.kind.is_transient and not (reads and cut)

    def matches(self, method: str, target: str) -> bool:
        return method in self.methods and self.part in target

    def json(self) -> dict[str, Any]:
        return {**asdict(self), "kind": self.kind.name}

    @staticmethod
    def drawn(draw: random.Random) -> "Fault":
        """A fault anywhere in a folder with a source, a target and a checkpoint."""
        kinds = [kind for kind in FaultKind if kind is not FaultKind.HANG]
        kind = FaultKind.HANG if draw.random() < 0.02 else draw.choice(kinds)
        folders = ("", "source", "target", "checkpoint", "_delta_log", ".parquet", ".json")
        folder = draw.choice(folders)
        methods = draw.choice((("GET",), ("HEAD",), ("PUT",), Fault.methods))
        if kind is FaultKind.RESET_BODY:
            methods = ("GET",)
        skip = draw.choice((0, 0, 1, 2, 5, 10, 20))
        times = draw.choice((1, 1, 2)) if kind.is_transient else draw.choice((1, 5, 1000))
        return Fault(kind=kind, methods=methods, part=folder, skip=skip, times=times)

    @staticmethod
    def of_json(fields: dict[str, Any]) -> "Fault":
        kind = FaultKind[fields.pop("kind")]
        return Fault(kind=kind, **fields)
