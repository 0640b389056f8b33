# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A request that the S3 server answered: its kind, its key, and what it costs."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from urllib.parse import parse_qs


class RequestKind(Enum):
    """Requests to S3 by method, with the ones apart that cost or mean something else."""

    HEAD_FOUND = "HEAD 200"
    HEAD_MISSING = "HEAD 404"
    GET = "GET"
    LIST = "LIST"
    PUT = "PUT"
    COPY = "COPY"
    POST = "POST"
    DELETE = "DELETE"
    OTHER = "other"

    @property
    def dollars(self) -> float:
        """The price of one request: S3's standard class in us-east-1."""
        match self:
            case RequestKind.DELETE | RequestKind.OTHER:
                return 0.0
            case RequestKind.HEAD_FOUND | RequestKind.HEAD_MISSING | RequestKind.GET:
                return 0.0000004
            case RequestKind.LIST | RequestKind.PUT | RequestKind.COPY | RequestKind.POST:
                return 0.000005


@dataclass(frozen=True)
class StoreRequest:
    """A request with a path-style URL, and the status of its answer."""

    method: str
    path: str
    """`/bucket/key`, decoded."""
    query: str
    copies: bool
    """Whether it names an object to copy from."""
    status: int

    @property
    def kind(self) -> RequestKind:
        match self.method:
            case "HEAD" if self.status == 200:
                return RequestKind.HEAD_FOUND
            case "HEAD" if self.status == 404:
                return RequestKind.HEAD_MISSING
            case "GET":
                return RequestKind.LIST if self._lists else RequestKind.GET
            case "PUT":
                return RequestKind.COPY if self.copies else RequestKind.PUT
            case "POST":
                return RequestKind.POST
            case "DELETE":
                return RequestKind.DELETE
            case _:
                return RequestKind.OTHER

    @property
    def key(self) -> str:
        """The object's key; for a listing, the prefix."""
        if self._lists:
            return self._parameters.get("prefix", [""])[0]
        return self.path.lstrip("/").partition("/")[2]

    @property
    def _lists(self) -> bool:
        """Whether it lists objects or uploads: it has no key, and no other property of a bucket."""
        _, _, key = self.path.strip("/").partition("/")
        return self.method == "GET" and not key and not self._parameters.keys() & PROPERTIES

    @property
    def _parameters(self) -> dict[str, list[str]]:
        return parse_qs(self.query, keep_blank_values=True)


PROPERTIES = {"acl", "location", "policy", "tagging", "versioning"}
"""Properties of a bucket that a GET may ask for."""


def dollars(requests: Iterable[StoreRequest]) -> float:
    """Return the price of these requests."""
    return sum(request.kind.dollars for request in requests)
