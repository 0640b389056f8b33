# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""`python -m object_stores.fault_proxy ENDPOINT`: a proxy on a free port that injects faults."""

import asyncio
import sys
from collections import Counter
from collections.abc import Sequence

from aiohttp import ClientSession, web
from yarl import URL

from object_stores.fault import Fault, FaultKind
from object_stores.server import HOST

FAULTS = "/_faults"
"""PUT replaces the faults, as JSON; GET returns how often each of them was injected."""

_CONNECTION = {"connection", "keep-alive", "transfer-encoding", "te", "upgrade"}
"""Headers that are about one connection."""

_ERRORS = {
    FaultKind.SLOW_DOWN: (503, "SlowDown"),
    FaultKind.INTERNAL_ERROR: (500, "InternalError"),
    FaultKind.EXPIRED: (400, "ExpiredToken"),
    FaultKind.DENIED: (403, "AccessDenied"),
    FaultKind.REDIRECTED: (301, "PermanentRedirect"),
    FaultKind.OTHER_REGION: (400, "AuthorizationHeaderMalformed"),
}


class FaultProxy:
    """Passes requests on to a store, and injects the faults that it was given last."""

    def __init__(self, endpoint: str, client: ClientSession) -> None:
        self._endpoint = endpoint
        self._client = client
        self._faults: Sequence[Fault] = ()
        self._seen: Counter[int] = Counter()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        if request.path == FAULTS:
            return await self._control(request)
        kind = self._next(request.method, request.raw_path)
        if kind in _ERRORS:
            await request.read()
            return _refusal(*_ERRORS[kind], with_body=request.method != "HEAD")
        if kind is FaultKind.HANG:
            await asyncio.sleep(3600)
        if kind is FaultKind.RESET:
            return _reset(request)
        status, headers, body = await self._forward(request)
        if kind is FaultKind.LOST_ANSWER:
            return _reset(request)
        if kind is FaultKind.RESET_BODY:
            return await _cut(request, headers, body)
        return web.Response(status=status, headers=headers, body=body)

    def _next(self, method: str, target: str) -> FaultKind | None:
        """The fault of a request; each one that it matches counts it."""
        found = None
        for number, fault in enumerate(self._faults):
            if fault.matches(method, target):
                self._seen[number] += 1
                if found is None and fault.skip < self._seen[number] <= fault.skip + fault.times:
                    found = fault.kind
        return found

    async def _forward(self, request: web.Request) -> tuple[int, dict[str, str], bytes]:
        headers = {k: v for k, v in request.headers.items() if k.lower() not in _CONNECTION}
        url = URL(self._endpoint + request.raw_path, encoded=True)
        data = await request.read()
        async with self._client.request(
            request.method, url, headers=headers, data=data, allow_redirects=False
        ) as answer:
            kept = {k: v for k, v in answer.headers.items() if k.lower() not in _CONNECTION}
            return answer.status, kept, await answer.read()

    async def _control(self, request: web.Request) -> web.Response:
        if request.method == "PUT":
            self._faults = [Fault.of_json(one) for one in await request.json()]
            self._seen.clear()
        injected = [
            max(0, min(self._seen[number] - fault.skip, fault.times))
            for number, fault in enumerate(self._faults)
        ]
        return web.json_response(injected)


def _refusal(status: int, code: str, *, with_body: bool) -> web.Response:
    text = f"<Error><Code>{code}</Code><Message>injected</Message></Error>" if with_body else ""
    return web.Response(status=status, text=text, content_type="application/xml")


def _reset(request: web.Request) -> web.Response:
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


async def _cut(request: web.Request, headers: dict[str, str], body: bytes) -> web.StreamResponse:
    answer = web.StreamResponse(headers={**headers, "Content-Length": str(len(body))})
    await answer.prepare(request)
    await answer.write(body[: len(body) // 2])
    _reset(request)
    return answer


async def serve(endpoint: str) -> None:
    async with ClientSession(auto_decompress=False) as client:
        # Parts of an upload are larger than the default limit of 1 MiB.
        application = web.Application(client_max_size=1 << 30)
        application.router.add_route("*", "/{path:.*}", FaultProxy(endpoint, client).handle)
        runner = web.AppRunner(application)
        await runner.setup()
        site = web.TCPSite(runner, HOST, 0)
        await site.start()
        port = runner.addresses[0][1]
        print(f"listening on port {port}", file=sys.stderr, flush=True)
        await asyncio.Event().wait()


def main() -> None:
    asyncio.run(serve(sys.argv[1]))


if __name__ == "__main__":
    main()
