# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A bucket on a local S3 server: its URIs, Spark's settings for it, and its requests so far."""

import json
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import ProxyHandler, Request, build_opener

from object_stores.server import HOST, LOSE, RECORDED, SIGNED, UNRECORDED
from object_stores.store_request import StoreRequest
from support.background_process import background_process

TESTS = Path(__file__).resolve().parents[1]
JARS = TESTS.parent / ".cache" / "s3a"
"""S3A and the modules of the AWS SDK that `ivy.xml` lists, from `make setup`."""

DIRECT = build_opener(ProxyHandler({}))
"""The server is on this machine: no proxy of the environment reaches it."""


@dataclass(frozen=True)
class ObjectStore:
    """A bucket of the server at an endpoint."""

    endpoint: str
    bucket: str = "tables"

    def uri(self, key: str) -> str:
        return f"s3a://{self.bucket}/{key}"

    def confs(self) -> dict[str, str]:
        """Spark's settings for S3A; all others have their defaults."""
        settings = {
            "endpoint": self.endpoint,
            "endpoint.region": "us-east-1",
            "path.style.access": "true",
            "access.key": "any",
            "secret.key": "any",
            # By default, S3A looks for credentials in the network too.
            "aws.credentials.provider": "org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider",
        }
        return {f"spark.hadoop.fs.s3a.{key}": value for key, value in settings.items()}

    @contextmanager
    def recorded(self) -> Generator[list[StoreRequest]]:
        """Record the requests of the block; the list is filled when it ends."""
        first = self._recorded()["count"]
        found: list[StoreRequest] = []
        yield found
        found += (StoreRequest(*row) for row in self._recorded(first)["requests"])

    def take_recorded(self) -> list[StoreRequest]:
        """The requests since the last call; the server, which runs for hours, forgets them."""
        return [StoreRequest(*row) for row in self._recorded(method="DELETE")["requests"]]

    def _recorded(self, since: int | None = None, method: str = "GET") -> Any:
        query = "" if since is None else f"?{since}"
        request = Request(self.endpoint + RECORDED + query, method=method)
        with DIRECT.open(request, timeout=20) as answer:
            return json.load(answer)

    def put(self, key: str, content: bytes) -> None:
        """Write an object, unrecorded."""
        self._put(f"/{self.bucket}/{quote(key)}", content)

    def get(self, key: str) -> bytes | None:
        """Read an object, unrecorded; None if there is none."""
        headers = {**SIGNED, UNRECORDED: "1"}
        request = Request(f"{self.endpoint}/{self.bucket}/{quote(key)}", headers=headers)
        try:
            with DIRECT.open(request, timeout=20) as answer:
                content: bytes = answer.read()
                return content
        except HTTPError as error:
            if error.code == 404:
                return None
            raise

    def lose_answer(self, key: str) -> None:
        """Lose the answer to the next PUT of a key: it is written, but the client gets a 503."""
        with DIRECT.open(f"{self.endpoint}{LOSE}?/{self.bucket}/{key}", timeout=20):
            pass

    def with_bucket(self, name: str) -> "ObjectStore":
        """Another bucket of the same server, created if it does not exist."""
        other = replace(self, bucket=name)
        other.create()
        return other

    def create(self) -> None:
        """Create the bucket, unrecorded."""
        self._put(f"/{self.bucket}", b"")

    def _put(self, path: str, content: bytes) -> None:
        # By default urllib sends a form, and moto decodes it.
        headers = {**SIGNED, UNRECORDED: "1", "Content-Type": "application/octet-stream"}
        request = Request(self.endpoint + path, content, headers, method="PUT")
        with DIRECT.open(request, timeout=20):
            pass


@contextmanager
def local_store(folder: Path) -> Generator[ObjectStore]:
    """Start a server with an empty bucket; its process runs in this folder."""
    with local_server("object_stores.server", folder=folder) as url:
        store = ObjectStore(url)
        store.create()
        yield store


@contextmanager
def local_server(module: str, *arguments: str, folder: Path) -> Generator[str]:
    """Start a server of these tests in a process of its own; give its URL."""
    command = [sys.executable, "-m", module, *arguments]
    path = os.pathsep.join(filter(None, [str(TESTS), os.environ.get("PYTHONPATH")]))
    env = {**os.environ, "PYTHONPATH": path}
    with background_process(command, r"listening on port (\d+)", folder=folder, env=env) as port:
        yield f"http://{HOST}:{port}"


def connector() -> list[Path]:
    """The jars of S3A."""
    found = sorted(JARS.glob("*.jar"))
    if not found:
        raise FileNotFoundError(f"no jar in {JARS}: run `make setup` first")
    return found
