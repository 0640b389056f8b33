# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The commands on `s3://`, without Spark: through fsspec and s3fs, in a process of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter

import pytest

from object_stores.store import ObjectStore
from object_stores.store_request import RequestKind
from support.checkpoint_samples import TABLE, checkpoint, offset, put, table, tracked

LOG = f"_schema_log_{TABLE}"


@pytest.fixture(scope="module")
def bucket(store: ObjectStore, tmp_path_factory: pytest.TempPathFactory) -> ObjectStore:
    """Return a bucket with a checkpoint and its table."""
    folder = tmp_path_factory.mktemp("sample")
    query = checkpoint(folder / "checkpoint", *map(offset, range(1, 4)), done=[0, 1])
    put(query / "schemas" / LOG, "0", tracked(0, id="integer"))
    put(query / "schemas" / LOG, "1", tracked(2, id="long"))
    table(folder / "orders", [1, 2], [10], [100, 200], [5])
    bucket = store.with_bucket("without-spark")
    for file in folder.rglob("*"):
        if file.is_file():
            bucket.put(file.relative_to(folder).as_posix(), file.read_bytes())
    return bucket


def run(endpoint: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a command; the library finds endpoint and credentials in the environment."""
    inherited = {key: value for key, value in os.environ.items() if "proxy" not in key.lower()}
    settings = {
        "AWS_ENDPOINT_URL": endpoint,
        "AWS_ACCESS_KEY_ID": "any",
        "AWS_SECRET_ACCESS_KEY": "any",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
        "AWS_CONFIG_FILE": os.devnull,
        "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    }
    return subprocess.run(
        [sys.executable, "-m", "deltasource", *arguments],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env={**inherited, **settings},
    )


def test_the_commands_read_s3(bucket: ObjectStore) -> None:
    """They print what they print for a local copy, and ask the store for little."""
    query, orders = "s3://without-spark/checkpoint", "s3a://without-spark/orders"
    with bucket.recorded() as listing:
        done = run(bucket.endpoint, "offsets", query, "--format", "json", "--last", "1")
    assert (done.returncode, done.stderr) == (0, "")
    (row,) = json.loads(done.stdout)["rows"]
    assert (row["batch"], row["committed"], row["version"]) == (2, False, 3)
    # `metadata` says that it is a checkpoint, and the commit whether Spark can restart with it.
    assert Counter((one.kind, one.key) for one in listing) == {
        (RequestKind.HEAD_FOUND, "checkpoint/metadata"): 1,
        (RequestKind.LIST, "checkpoint/commits/"): 1,
        (RequestKind.GET, "checkpoint/commits/1"): 1,
        (RequestKind.LIST, "checkpoint/offsets/"): 1,
        (RequestKind.GET, "checkpoint/offsets/2"): 1,
    }
    with bucket.recorded() as requests:
        done = run(bucket.endpoint, "backlog", query, orders, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    (row,) = json.loads(done.stdout)["rows"]
    assert (row["versions"], row["files"], row["bytes"]) == (2, 3, 305)
    logs = Counter(one.kind for one in requests if one.key.startswith("orders/"))
    # A missing checksum file is looked for once; each unread commit has its time and its content.
    assert logs[RequestKind.LIST] == 1
    assert logs[RequestKind.HEAD_FOUND] <= 6
    done = run(bucket.endpoint, "schema-log", f"{query}/schemas", "--diff")
    assert (done.returncode, done.stderr) == (0, "")
    assert "widened: id: integer -> long" in done.stdout


@pytest.mark.parametrize(
    ("command", "condition"),
    [
        (("offsets",), "DELTASOURCE_UNREADABLE_CHECKPOINT"),
        (("schema-log",), "DELTA_STREAMING_SCHEMA_LOG_DESERIALIZE_FAILED"),
    ],
)
@pytest.mark.parametrize(
    ("bucket_name", "refused", "words"),
    [
        ("no-such-bucket", False, "The specified bucket does not exist"),
        # Nothing listens on port 1.
        ("without-spark", True, "Could not connect to the endpoint URL"),
    ],
)
def test_a_store_that_cannot_be_used_is_a_typed_error(
    bucket: ObjectStore,
    command: tuple[str, ...],
    condition: str,
    bucket_name: str,
    refused: bool,
    words: str,
) -> None:
    """A missing bucket and a wrong endpoint are one line each, soon and without a traceback."""
    endpoint = "http://127.0.0.1:1" if refused else bucket.endpoint
    uri = f"s3a://{bucket_name}/checkpoint"
    start = time.monotonic()
    done = run(endpoint, *command, uri)
    assert time.monotonic() - start < 40
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (3, "", 1)
    assert done.stderr.startswith(f"[{condition}] cannot read {uri}: ")
    assert words in done.stderr
