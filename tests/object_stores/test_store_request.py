# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The server records requests, which have a kind, a key and a price."""

from http.client import HTTPConnection

import pytest

from object_stores.server import SIGNED
from object_stores.store import ObjectStore
from object_stores.store_request import RequestKind, StoreRequest, dollars


def request(line: str, status: int, *, copies: bool = False) -> StoreRequest:
    method, url = line.split(" ", 1)
    path, _, query = url.partition("?")
    return StoreRequest(method, path, query, copies, status)


@pytest.mark.parametrize(
    ("line", "status", "kind", "key"),
    [
        ("HEAD /b/t/0.json", 200, RequestKind.HEAD_FOUND, "t/0.json"),
        ("HEAD /b/t/0.json", 404, RequestKind.HEAD_MISSING, "t/0.json"),
        ("HEAD /b/t/0.json", 503, RequestKind.OTHER, "t/0.json"),
        ("GET /b/t/0.json", 200, RequestKind.GET, "t/0.json"),
        ("GET /b/t/0.json", 404, RequestKind.GET, "t/0.json"),
        ("GET /b?list-type=2&prefix=a%20t/", 200, RequestKind.LIST, "a t/"),
        ("GET /b/?uploads&prefix=t", 200, RequestKind.LIST, "t"),
        ("GET /b?location", 200, RequestKind.GET, ""),
        ("PUT /b/t/0.json", 412, RequestKind.PUT, "t/0.json"),
        ("POST /b?delete", 200, RequestKind.POST, ""),
        ("DELETE /b/t/0.json", 204, RequestKind.DELETE, "t/0.json"),
    ],
)
def test_a_request_has_a_kind_and_a_key(
    line: str, status: int, kind: RequestKind, key: str
) -> None:
    """Method, path, query and status decide; a listing is a GET without a key."""
    found = request(line, status)
    assert (found.kind, found.key) == (kind, key)


def test_a_copy_is_a_put_that_names_its_source() -> None:
    """A copy has a kind of its own."""
    assert request("PUT /b/t", 200, copies=True).kind is RequestKind.COPY


def test_two_lists_cost_as_much_as_25_heads() -> None:
    """The price is that of all requests."""
    heads = [request("HEAD /b/t", 404)] * 25
    assert dollars(heads) == pytest.approx(dollars([request("GET /b?prefix=t", 200)] * 2))


def test_the_server_records_what_it_answers(store: ObjectStore) -> None:
    """Each request is recorded once, with its answer; the uploads of tests are not."""
    store.put("recorded/a file", b"\xff")
    store.put("recorded/a file", b"\xfe")
    with store.recorded() as requests:
        answers = _ask(store)
    assert answers == [200, 404, 200, 200, 204]
    assert [(one.kind, one.key) for one in requests] == [
        (RequestKind.HEAD_FOUND, "recorded/a file"),
        (RequestKind.HEAD_MISSING, "recorded/né"),
        (RequestKind.GET, "recorded/a file"),
        (RequestKind.LIST, "recorded/"),
        (RequestKind.DELETE, "recorded/a file"),
    ]


def _ask(store: ObjectStore) -> list[int]:
    connection = HTTPConnection(store.endpoint.removeprefix("http://"), timeout=20)
    answers = []
    for line in (
        "HEAD /tables/recorded/a%20file",
        "HEAD /tables/recorded/n%C3%A9",
        "GET /tables/recorded/a%20file",
        "GET /tables?list-type=2&prefix=recorded/",
        "DELETE /tables/recorded/a%20file",
    ):
        method, path = line.split()
        connection.request(method, path, headers=SIGNED)
        with connection.getresponse() as answer:
            answer.read()
            answers.append(answer.status)
    connection.close()
    return answers
