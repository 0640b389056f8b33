# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The log stores that commit on S3 with a conditional PUT."""

# pyright: reportPrivateUsage=false
# Spark has no public API for its JVM.

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from py4j.protocol import Py4JJavaError

from object_stores.server import CONFLICTING, OTHER_CONTENT, OVERWRITING, UNCONDITIONAL
from object_stores.store import ObjectStore
from object_stores.store_request import RequestKind
from object_stores.two_writers import run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CONDITIONAL = "S3ConditionalLogStore"
DEFAULT = "S3LogStore"
PROBE = ".conditional-writes"
EXISTS = r"java\.nio\.file\.FileAlreadyExistsException"
UNSUPPORTED = "DELTASOURCE_CONDITIONAL_WRITES_UNSUPPORTED"


class Log:
    """The log of a table, written and listed through a log store of ours."""

    def __init__(self, spark: SparkSession, folder: str, store: str = CONDITIONAL) -> None:
        self._jvm = cast("Any", spark._jvm)
        self._folder = folder
        session: Any = spark._jsparkSession
        self._conf = session.sessionState().newHadoopConf()
        self._store = getattr(self._jvm.io.github.deltasource, store)(self._conf)

    def write(self, name: str, actions: Sequence[str], *, overwrite: bool = False) -> None:
        lines = self._jvm.java.util.ArrayList()
        for action in actions:
            lines.add(action)
        self._store.write(self._path(name), lines.iterator(), overwrite, self._conf)

    def read(self, name: str) -> list[str]:
        found = self._store.read(self._path(name), self._conf)
        return self._all(found)

    def names(self, first: str) -> list[str]:
        found = self._all(self._store.listFrom(self._path(first), self._conf))
        return [status.getPath().getName() for status in found]

    def _path(self, name: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(f"{self._folder}/{name}")

    def _all(self, found: Any) -> list[Any]:
        # py4j does not iterate over Java's iterators.
        items = []
        while found.hasNext():
            items.append(found.next())
        return items


@pytest.fixture(params=[CONDITIONAL, DEFAULT])
def log(request: pytest.FixtureRequest, s3_spark: SparkSession, store: ObjectStore) -> Log:
    """A log on S3, through each of the stores."""
    return Log(s3_spark, store.uri(f"log-store/{request.node.name}"), request.param)


def test_a_version_is_committed_once(log: Log) -> None:
    """The second commit of a version fails as Delta expects it, and the first stays."""
    log.write("0.json", ["first", "é"])
    with pytest.raises(Py4JJavaError, match=EXISTS):
        log.write("0.json", ["second"])
    assert log.read("0.json") == ["first", "é"]
    log.write("0.json", ["third"], overwrite=True)
    assert log.read("0.json") == ["third"]


def test_a_commit_takes_one_request(s3_spark: SparkSession, store: ObjectStore) -> None:
    """And a listing too. The store is asked once per process whether it compares."""
    log = Log(s3_spark, store.uri("log-store/requests"))
    log.write("0.json", ["first"])
    with store.recorded() as writing:
        log.write("1.json", ["second"])
        log.write("_last_checkpoint", ["third"], overwrite=True)
    with store.recorded() as listing:
        assert log.names("1.json") == ["1.json", "_last_checkpoint"]
    assert Counter(one.kind for one in writing) == {RequestKind.PUT: 2}
    assert Counter(one.kind for one in listing) == {RequestKind.LIST: 1}


def test_a_log_that_is_missing_cannot_be_listed(log: Log) -> None:
    """Delta takes this error for a table that does not exist."""
    with pytest.raises(Py4JJavaError, match="FileNotFoundException"):
        log.names("0.json")


def test_a_commit_whose_answer_is_lost_succeeds(s3_spark: SparkSession, store: ObjectStore) -> None:
    """S3A sends it again and S3 refuses that, because the first one was written."""
    log = Log(s3_spark, store.uri("log-store/lost"))
    log.write("0.json", ["zero"])
    store.lose_answer("log-store/lost/1.json")
    with store.recorded() as requests:
        log.write("1.json", ["one"])
    assert [one.status for one in requests if one.method == "PUT"] == [503, 412]
    assert log.read("1.json") == ["one"]


def test_a_commit_whose_actions_fail_is_not_written(
    s3_spark: SparkSession, store: ObjectStore
) -> None:
    """A part of a commit is never visible."""
    log = Log(s3_spark, store.uri("log-store/broken"))
    with pytest.raises(Py4JJavaError, match="ClassCastException"):
        log.write("0.json", ["first", cast("str", 2)])
    assert store.get("log-store/broken/0.json") is None


@pytest.mark.parametrize("name", [OVERWRITING, *UNCONDITIONAL])
def test_a_store_without_conditional_writes_is_refused(
    s3_spark: SparkSession, store: ObjectStore, name: str
) -> None:
    """Before anything is committed, however the store answers."""
    other = store.with_bucket(f"{name}-refused")
    log = Log(s3_spark, other.uri("table/_delta_log"))
    with pytest.raises(Py4JJavaError, match=f"{UNSUPPORTED}. s3a://{name}-refused does not"):
        log.write("0.json", ["zero"])
    assert other.get("table/_delta_log/0.json") is None


@pytest.mark.parametrize("name", [OVERWRITING, *UNCONDITIONAL])
def test_by_default_such_a_store_has_one_driver(
    s3_spark: SparkSession, store: ObjectStore, name: str
) -> None:
    """Delta's own log store for S3 is used, which looks before it writes."""
    other = store.with_bucket(f"{name}-default")
    log = Log(s3_spark, other.uri("table/_delta_log"), DEFAULT)
    log.write("0.json", ["first"])
    with pytest.raises(Py4JJavaError, match=EXISTS):
        log.write("0.json", ["second"])
    assert log.read("0.json") == ["first"]
    log.write("0.json", ["third"], overwrite=True)
    assert log.names("0.json") == ["0.json"]


def test_a_store_that_could_not_be_asked_is_asked_again(
    s3_spark: SparkSession, store: ObjectStore
) -> None:
    """A failure, such as a bucket that does not exist, says nothing about conditional writes."""
    bucket = f"{OVERWRITING}-later"
    missing = store.uri("table/_delta_log").replace(f"//{store.bucket}/", f"//{bucket}/")
    log = Log(s3_spark, missing)
    with pytest.raises(Py4JJavaError, match="bucket does not exist"):
        log.write("0.json", ["zero"])
    store.with_bucket(bucket)
    with pytest.raises(Py4JJavaError, match=UNSUPPORTED):
        log.write("0.json", ["zero"])


def test_a_commit_that_conflicts_with_another_one_has_lost(
    s3_spark: SparkSession, store: ObjectStore
) -> None:
    """S3 answers 409 while the other driver's request is under way, before its file is visible."""
    other = store.with_bucket(f"{CONFLICTING}-commits")
    log = Log(s3_spark, other.uri("table/_delta_log"))
    with pytest.raises(Py4JJavaError, match=EXISTS):
        log.write("0.json", ["zero"])
    assert other.get("table/_delta_log/0.json") == OTHER_CONTENT


def test_other_file_systems_have_no_conditional_writes(
    s3_spark: SparkSession, tmp_path: Path
) -> None:
    """A local folder is refused, and written in Delta's way by default."""
    with pytest.raises(Py4JJavaError, match=UNSUPPORTED):
        Log(s3_spark, tmp_path.as_uri()).write("0.json", ["zero"])
    log = Log(s3_spark, tmp_path.as_uri(), DEFAULT)
    log.write("0.json", ["zero"])
    assert log.read("0.json") == ["zero"]


def test_a_large_commit_is_compared_too(s3_spark: SparkSession, store: ObjectStore) -> None:
    """It is uploaded in parts, and compared when the last one is there."""
    s3_spark.conf.set("fs.s3a.multipart.size", "5M")
    s3_spark.conf.set("fs.s3a.impl.disable.cache", "true")
    log = Log(s3_spark, store.uri("log-store/large"))
    s3_spark.conf.unset("fs.s3a.multipart.size")
    s3_spark.conf.unset("fs.s3a.impl.disable.cache")
    line = "x" * 1_000_000
    with store.recorded() as requests:
        log.write("0.json", [line] * 11)
    with pytest.raises(Py4JJavaError, match=EXISTS):
        log.write("0.json", ["y" * 1_000_000] * 11)
    assert log.read("0.json") == [line] * 11
    assert RequestKind.POST in {one.kind for one in requests}


def test_two_drivers_lose_no_commit(store: ObjectStore, tmp_path: Path) -> None:
    """Both append to one table at the same time, and each row is in the log once."""
    with store.recorded() as requests:
        found = run("ours", store, tmp_path, commits=10)
    assert (found.lost, found.doubled, found.failed) == (0, 0, 0)
    assert found.versions == 11
    refused = [one for one in requests if one.status == 412 and one.key.endswith(".json")]
    assert refused, "the drivers have not met"
