# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The manager that writes a checkpoint's files on S3 with one request."""

# pyright: reportPrivateUsage=false
# Spark has no public API for its JVM.

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pytest
from py4j.protocol import Py4JJavaError

from object_stores.store import ObjectStore
from object_stores.store_request import RequestKind

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Files:
    """The files in one folder, written and read through the manager."""

    def __init__(self, spark: SparkSession, folder: str) -> None:
        self._jvm = cast("Any", spark._jvm)
        self._folder = folder
        session: Any = spark._jsparkSession
        conf = session.sessionState().newHadoopConf()
        manager = self._jvm.io.github.deltasource.S3CheckpointFileManager
        self.manager = manager(self.path(), conf)

    def path(self, name: str = "") -> Any:
        return self._jvm.org.apache.hadoop.fs.Path("/".join(filter(None, (self._folder, name))))

    def create(self, name: str, content: str, *, overwrite: bool = False) -> Any:
        """Return a stream with the content, not yet closed."""
        out = self.manager.createAtomic(self.path(name), overwrite)
        out.write(bytearray(content.encode()))
        return out

    def read(self, name: str) -> str:
        stream = self.manager.open(self.path(name))
        content: str = self._jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8")
        stream.close()
        return content


@pytest.fixture(params=["s3a", "file"])
def files(
    request: pytest.FixtureRequest, s3_spark: SparkSession, store: ObjectStore, tmp_path: Path
) -> Files:
    """The same files on S3 and in a local folder, where Spark's own manager writes them."""
    name = f"files/{request.node.name}"
    return Files(s3_spark, store.uri(name) if request.param == "s3a" else tmp_path.as_uri())


def test_a_file_is_visible_when_it_is_closed(files: Files) -> None:
    """Not before, and closing it twice changes nothing."""
    out = files.create("0", "zero")
    assert not files.manager.exists(files.path("0"))
    out.close()
    out.close()
    assert files.read("0") == "zero"
    assert [status.getPath().getName() for status in files.manager.list(files.path())] == ["0"]


@pytest.mark.parametrize("content", ["other", "zero"])
def test_a_file_is_not_overwritten(files: Files, content: str) -> None:
    """Closing the second stream fails, even with the same content, and the first content stays."""
    files.create("0", "zero").close()
    with pytest.raises(Py4JJavaError, match="FileAlreadyExistsException"):
        files.create("0", content).close()
    assert files.read("0") == "zero"


def test_a_file_is_overwritten_on_request(files: Files) -> None:
    """The second content replaces the first."""
    for content in ("zero", "other"):
        files.create("0", content, overwrite=True).close()
    assert files.read("0") == "other"


def test_a_cancelled_file_does_not_exist(files: Files) -> None:
    """Nor after the stream is closed."""
    for overwrite in (True, False):
        out = files.create("0", "zero", overwrite=overwrite)
        out.cancel()
        out.close()
        assert not files.manager.exists(files.path("0"))


def test_of_two_streams_for_one_file_the_first_that_closes_succeeds(
    s3_spark: SparkSession, store: ObjectStore
) -> None:
    """S3 compares when a stream is closed, not when it is opened."""
    files = Files(s3_spark, store.uri("files/race"))
    first, second = files.create("0", "first"), files.create("0", "second")
    second.close()
    with pytest.raises(Py4JJavaError, match="FileAlreadyExistsException"):
        first.close()
    assert files.read("0") == "second"


@pytest.mark.parametrize("overwrite", [True, False])
def test_a_file_is_written_although_the_answer_is_lost(
    s3_spark: SparkSession, store: ObjectStore, *, overwrite: bool
) -> None:
    """S3A sends the request again, and S3 refuses it because the first one has succeeded."""
    files = Files(s3_spark, store.uri(f"files/lost-{overwrite}"))
    store.lose_answer(f"files/lost-{overwrite}/0")
    with store.recorded() as requests:
        files.create("0", "zero", overwrite=overwrite).close()
    assert files.read("0") == "zero"
    assert Counter(one.status for one in requests if one.method == "PUT") == {
        503: 1,
        200 if overwrite else 412: 1,
    }


@pytest.mark.parametrize("overwrite", [True, False])
def test_a_file_that_could_not_be_written_fails_with_the_error_of_the_store(
    s3_spark: SparkSession, store: ObjectStore, *, overwrite: bool
) -> None:
    """There is no such bucket."""
    files = Files(s3_spark, store.uri("files").replace("//tables", "//missing"))
    with pytest.raises(Py4JJavaError, match="bucket does not exist"):
        files.create("0", "zero", overwrite=overwrite).close()


def test_without_conditional_writes_files_are_written_as_spark_does(
    s3_spark: SparkSession, store: ObjectStore
) -> None:
    """They are renamed, which copies them."""
    s3_spark.conf.set("fs.s3a.create.conditional.enabled", "false")
    s3_spark.conf.set("fs.s3a.impl.disable.cache", "true")
    files = Files(s3_spark, store.uri("files/renamed"))
    s3_spark.conf.unset("fs.s3a.create.conditional.enabled")
    s3_spark.conf.unset("fs.s3a.impl.disable.cache")
    files.manager.mkdirs(files.path())
    with store.recorded() as requests:
        files.create("0", "zero").close()
    assert RequestKind.COPY in {one.kind for one in requests}
    assert files.read("0") == "zero"


def test_a_file_takes_one_request(s3_spark: SparkSession, store: ObjectStore) -> None:
    """Neither the path nor its folders are looked up."""
    files = Files(s3_spark, store.uri("files/requests"))
    with store.recorded() as requests:
        files.create("0", "zero").close()
        files.create("1", "one", overwrite=True).close()
    assert Counter(one.kind for one in requests) == {RequestKind.PUT: 2}
