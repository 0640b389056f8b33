# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Damaged files that Delta reads to open a table, with errors as py4j and Connect raise them."""

from __future__ import annotations

import pytest

from deltasource import CommitError, SchemaLogError
from deltasource._read.damaged_files import named_if_damaged

COMMIT = (
    "[DELTASOURCE_UNREADABLE_COMMIT] Line 2 of the commit file of version 1 cannot be read: "
    "file:/t/_delta_log/00000000000000000001.json "
    "(see `deltasource explain-error DELTASOURCE_UNREADABLE_COMMIT`)"
)
JACKSON = "calling o79.load.\n: com.fasterxml.jackson.databind.JsonMappingException: Unexpected end"


def test_a_damaged_commit_is_named_once() -> None:
    """The text is that of the jar, without the stack after it."""
    with pytest.raises(CommitError) as error, named_if_damaged(None):
        raise RuntimeError(f"{COMMIT}\n\nJVM stacktrace:\norg.apache.spark.SparkException")
    assert str(error.value) == COMMIT
    assert error.value.__suppress_context__


def test_a_damaged_schema_log_is_named() -> None:
    """Delta's error names no file; only a stream that tracks its schemas reads one."""
    message = r"schemas in /c/s is damaged.* schema-log /c/s"
    with pytest.raises(SchemaLogError, match=message), named_if_damaged("/c/s"):
        raise RuntimeError(JACKSON)
    for schemas, text in ((None, JACKSON), ("/c/s", "something else")):
        with pytest.raises(RuntimeError), named_if_damaged(schemas):
            raise RuntimeError(text)
