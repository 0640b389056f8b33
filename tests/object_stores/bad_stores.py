# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What a store refuses, and stores that do not answer as they should."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from urllib.parse import quote

from object_stores.fault import Fault, FaultKind

ALWAYS = 1_000_000


class Denied(Enum):
    """The requests that the permissions do not allow."""

    LIST = "LIST"
    READ = "GET and HEAD"
    WRITE = "PUT"

    def fault(self, folder: str) -> Fault:
        """The fault that denies these requests in a folder; a listing has it in its query."""
        methods: Mapping[Denied, tuple[str, ...]] = {
            Denied.LIST: ("GET",),
            Denied.READ: ("GET", "HEAD"),
            Denied.WRITE: ("PUT", "POST"),
        }
        part = f"prefix={quote(folder, safe='')}" if self is Denied.LIST else f"/{folder}/"
        return Fault(kind=FaultKind.DENIED, methods=methods[self], part=part, times=ALWAYS)


@dataclass(frozen=True)
class BadStore:
    """A bucket that cannot be used, and the words of S3A that say why."""

    bucket: str
    words: str
    kind: FaultKind | None = None
    """What the proxy does to its requests; None passes them on."""
    endpoint: str | None = None
    """Another endpoint than the proxy."""

    def confs(self, proxy: str) -> dict[str, str]:
        """The settings of the bucket, with S3A's limits as short as they can be."""
        settings = {
            "endpoint": self.endpoint or proxy,
            "attempts.maximum": "1",
            "retry.limit": "1",
            "retry.interval": "20ms",
            "connection.timeout": "500ms",
            "connection.request.timeout": "500ms",
        }
        return {f"fs.s3a.bucket.{self.bucket}.{key}": value for key, value in settings.items()}

    def faults(self) -> list[Fault]:
        if self.kind is None:
            return []
        return [Fault(kind=self.kind, part=f"/{self.bucket}", times=ALWAYS)]


BAD_STORES = {
    bad.bucket: bad
    for bad in (
        BadStore("missing", "The specified bucket does not exist"),
        # Nothing listens on port 1.
        BadStore("refused", "Connection refused", endpoint="http://127.0.0.1:1"),
        BadStore("hanging", "ApiCallTimeoutException", FaultKind.HANG),
        BadStore("redirected", "does not match the AWS region", FaultKind.REDIRECTED),
        BadStore("elsewhere", "Status Code: 400", FaultKind.OTHER_REGION),
    )
}
"""By the names of their buckets."""
