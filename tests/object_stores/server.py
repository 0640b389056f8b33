# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m object_stores.server`: moto's S3 server on a free port, recording all requests."""

import json
import logging
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple
from threading import Timer
from typing import TYPE_CHECKING, Any

from moto.moto_server.werkzeug_app import (
    DomainDispatcherApplication,
    MotoRequestHandler,
    create_backend_app,
)
from werkzeug.serving import make_server
from werkzeug.test import EnvironBuilder

from object_stores.store_request import StoreRequest

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

HOST = "127.0.0.1"
SIGNED = {
    "Authorization": "AWS4-HMAC-SHA256 Credential=any/20260101/us-east-1/s3/aws4_request, "
    "SignedHeaders=host, Signature=any"
}
"""moto refuses to read or replace objects without a signature, and accepts any."""
RECORDED = "/_recorded"
"""Returns how many requests are recorded, and those after the number in the query.

DELETE returns all of them, and forgets them. No bucket can have this name.
"""
LOSE = "/_lose"
"""The answer to the next PUT of the path in the query is lost: the client gets a 503 instead."""
OVERWRITING = "overwriting"
"""Buckets whose names start like this ignore `If-None-Match`."""
CONFLICTING = "conflicting"
"""Here another client writes the same object: the answer to a conditional PUT is 409."""
UNCONDITIONAL = {"unimplemented": 501, "rejecting": 400, "forbidding": 403, "failing": 412}
"""How buckets whose names start like this answer each conditional PUT."""
OTHER_CONTENT = b"other\n"
UNRECORDED = "X-Unrecorded"
"""Requests with this header are not recorded."""
_UNRECORDED = "HTTP_" + UNRECORDED.upper().replace("-", "_")


class RecordingApplication:
    """A WSGI application that records the requests it passes on."""

    def __init__(self, inner: "WSGIApplication") -> None:
        self._inner = inner
        self._requests: list[StoreRequest] = []
        self._lost: str | None = None

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        if environ["PATH_INFO"] == RECORDED:
            if environ["REQUEST_METHOD"] == "DELETE":
                taken, self._requests = self._requests, []
                return _answer(len(taken), taken, start_response)
            count = len(self._requests)
            first = int(environ["QUERY_STRING"] or count)
            return _answer(count, self._requests[first:count], start_response)
        if environ["PATH_INFO"] == LOSE:
            self._lost = environ["QUERY_STRING"]
            start_response("204 No Content", [])
            return []
        if _UNRECORDED in environ:
            return self._inner(environ, start_response)

        def recording(status: str, *rest: Any) -> Callable[[bytes], object]:
            self._record(environ, int(status.split()[0]))
            return start_response(status, *rest)

        refusal = self._refusal(environ) if "HTTP_IF_NONE_MATCH" in environ else None
        if refusal is not None:
            # An unread body would be taken for the next request.
            environ["wsgi.input"].read(int(environ["CONTENT_LENGTH"]))
            recording(f"{refusal} Refused", [])
            return []
        if environ["REQUEST_METHOD"] == "PUT" and environ["PATH_INFO"] == self._lost:
            self._lost = None
            list(self._inner(environ, _unsent))
            recording("503 Slow Down", [])
            return []
        return self._inner(environ, recording)

    def _refusal(self, environ: "WSGIEnvironment") -> int | None:
        """The answer to a conditional PUT, where it is not moto's."""
        path = environ["PATH_INFO"]
        name = path.split("/")[1].split("-")[0]
        if name == OVERWRITING:
            del environ["HTTP_IF_NONE_MATCH"]
        if name == CONFLICTING:
            headers = [*SIGNED.items(), ("Content-Type", "application/octet-stream")]
            url = f"http://{environ['HTTP_HOST']}"
            other = EnvironBuilder(path, url, method="PUT", data=OTHER_CONTENT, headers=headers)
            arguments = (other.get_environ(), _unsent)
            Timer(0.3, lambda: list(self._inner(*arguments))).start()
            return 409
        return UNCONDITIONAL.get(name)

    def _record(self, environ: "WSGIEnvironment", status: int) -> None:
        request = StoreRequest(
            method=environ["REQUEST_METHOD"],
            # WSGI decodes the bytes of a path as Latin-1.
            path=environ["PATH_INFO"].encode("latin-1").decode(),
            query=environ["QUERY_STRING"],
            copies="HTTP_X_AMZ_COPY_SOURCE" in environ,
            status=status,
        )
        self._requests.append(request)


def _answer(
    count: int, requests: Sequence[StoreRequest], start_response: "StartResponse"
) -> Iterable[bytes]:
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps({"count": count, "requests": list(map(astuple, requests))}).encode()]


def _unsent(_status: str, *_rest: Any) -> Callable[[bytes], object]:
    """Answer nobody."""
    return lambda _: None


def main() -> None:
    # A line for each request would only fill the log.
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    application = RecordingApplication(DomainDispatcherApplication(create_backend_app))
    server = make_server(HOST, 0, application, threaded=True, request_handler=MotoRequestHandler)
    print(f"listening on port {server.port}", file=sys.stderr, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
