# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The error for a path whose file system Spark does not have."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from deltasource import RemotePathError
from deltasource._read.stream import load
from deltasource._session import jvm
from deltasource._session.file_systems import explain

S3A = """An error occurred while calling o159.load.
: java.lang.RuntimeException: java.lang.ClassNotFoundException: Class \
org.apache.hadoop.fs.s3a.S3AFileSystem not found
\tat org.apache.hadoop.conf.Configuration.getClass(Configuration.java:2724)"""
FOO = """An error occurred while calling o172.load.
: org.apache.hadoop.fs.UnsupportedFileSystemException: No FileSystem for scheme "foo"
\tat org.apache.hadoop.fs.FileSystem.getFileSystemClass(FileSystem.java:3586)"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            S3A,
            "Spark cannot open paths with s3a://, its class org.apache.hadoop.fs.s3a.S3AFileSystem "
            "is not there: add org.apache.hadoop:hadoop-aws:3.5.0 to spark.jars.packages before "
            "Spark starts",
        ),
        (
            FOO,
            "Spark cannot open paths with foo://, it has no file system for them: check the path, "
            "or add the jar of that file system to spark.jars",
        ),
        (
            FOO.replace("foo", "s3"),
            "Spark cannot open paths with s3://, it has no file system for them: write s3a:// "
            "instead, or set spark.hadoop.fs.s3.impl",
        ),
        ("java.lang.ClassNotFoundException: Class my.Udf not found", None),
    ],
)
def test_the_package_of_a_file_system_is_named(text: str, said: str | None) -> None:
    """It is in the version of Spark's Hadoop, or the path is wrong."""
    assert explain(text, "3.5.0") == said


def test_azure_has_one_package_for_its_schemes() -> None:
    """A Spark elsewhere may have any Hadoop."""
    missing = "Class org.apache.hadoop.fs.azurebfs.SecureAzureBlobFileSystem not found"
    said = explain(missing, None) or ""
    assert "with abfss://" in said
    assert "hadoop-azure:<version of its Hadoop>" in said


def test_the_java_stack_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error has no cause to print; any other error stays as it is."""
    monkeypatch.setattr(jvm, "hadoop_version", lambda: "3.5.0")

    def reader(text: str) -> Any:
        def fail(_path: str) -> NoReturn:
            raise RuntimeError(text)

        def delta(_name: str) -> SimpleNamespace:
            return SimpleNamespace(load=fail)

        return SimpleNamespace(format=delta)

    with pytest.raises(RemotePathError, match="hadoop-aws") as error:
        load(reader(S3A), "s3a://b/t")
    assert error.value.__suppress_context__
    with pytest.raises(RuntimeError, match="out of memory"):
        load(reader("out of memory"), "s3a://b/t")


def test_a_path_over_connect_is_looked_at_when_it_is_read() -> None:
    """Its DataFrames are lazy: a missing table would only be found when the query starts."""
    looked: list[str] = []

    class Rows:
        @property
        def schema(self) -> None:
            looked.append("schema")

    class Reader:
        def format(self, _name: str) -> Reader:
            return self

        def load(self, _path: str) -> Rows:
            return Rows()

    reader: Any = Reader()
    load(reader, "./t")
    Reader.__module__ = "pyspark.sql.connect.streaming.readwriter"
    load(reader, "./t")
    assert looked == ["schema"]
