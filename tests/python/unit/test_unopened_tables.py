# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The error for a table that Delta cannot open, with a reader that fails as Delta does."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from deltasource import (
    CommitError,
    MissingCommitError,
    UnsupportedReadFeatureError,
    UnsupportedWriteFeatureError,
)
from deltasource._read.stream import load

GAP = "[DELTA_VERSIONS_NOT_CONTIGUOUS] Versions (0, 1, 3) are not contiguous. \n A gap in the log"


def reader(text: str) -> Any:
    """Return a reader that fails with a message, as Py4J does."""

    def fail(_path: str) -> NoReturn:
        raise RuntimeError(f"An error occurred while calling o79.load.\n: DeltaException: {text}")

    def delta(_name: str) -> SimpleNamespace:
        return SimpleNamespace(load=fail)

    return SimpleNamespace(format=delta, table=fail)


@pytest.mark.parametrize("table", ["/tables/orders", "orders"])
def test_the_missing_file_is_named(table: str) -> None:
    """For a path and for a name; the Java stack of Delta's error is left out."""
    with pytest.raises(MissingCommitError) as error:
        load(reader(GAP), table)
    assert f"the table {table} cannot be opened" in str(error.value)
    assert "versions 1 and 3, and no 00000000000000000002.json between them" in str(error.value)
    assert error.value.__suppress_context__


def test_a_truncated_log_is_named() -> None:
    """Its first commits are missing, and no checkpoint of the table replaces them."""
    truncated = (
        "[DELTA_TRUNCATED_TRANSACTION_LOG] file:/a b/t/_delta_log/00000000000000000000.json: "
        "Unable to reconstruct state at version 2 as the transaction log has been truncated"
    )
    with pytest.raises(MissingCommitError, match=r"has neither 0{20}\.json nor a later checkpoint"):
        load(reader(truncated), "/a b/t")


def test_versions_without_a_gap_are_not_guessed_about() -> None:
    """Delta's list may be incomplete."""
    with pytest.raises(MissingCommitError, match="its log has a gap"):
        load(reader(GAP.replace("0, 1, 3", "4")), "/tables/orders")


INCONSISTENT = (
    "[EXPRESSION_DECODING_FAILED] Failed to decode a row to a value of the expressions: "
    "newInstance(class scala.Tuple5). SQLSTATE: 42846"
)
UNRECOVERED = (
    "[DELTA_STATE_RECOVER_ERROR] The protocol of your Delta table could not be recovered while "
    "Reconstructing\nversion: 0. Did you manually delete files in the _delta_log directory?"
)


def newer(reader: int, writer: int) -> str:
    """Return Delta's text for a table with versions."""
    return (
        '[DELTA_INVALID_PROTOCOL_VERSION] Unsupported Delta protocol version: table "file:/t" '
        f'requires reader version {reader} and writer version {writer}, but Delta Lake "4.4.0" '
        "supports reader versions 1, 2, 3 and writer versions 1, 2, 3, 4, 5, 6, 7. Please upgrade"
    )


@pytest.mark.parametrize(
    ("text", "kind", "why"),
    [
        (INCONSISTENT, CommitError, "latest protocol action in its log is damaged"),
        (UNRECOVERED, CommitError, "no file of its log has its protocol"),
        (newer(4, 8), UnsupportedReadFeatureError, "reader version 4 and writer version 8"),
        (newer(1, 8), UnsupportedWriteFeatureError, "reader version 1 and writer version 8"),
    ],
)
def test_a_protocol_that_delta_cannot_read_is_named(
    text: str, kind: type[Exception], why: str
) -> None:
    """Delta's texts name no table, or are exceptions of Java."""
    with pytest.raises(kind, match=rf"the table /tables/orders cannot be .*{why}"):
        load(reader(text), "/tables/orders")


def test_other_errors_stay_what_they_are() -> None:
    """Only this condition is ours to explain."""
    with pytest.raises(RuntimeError, match="DELTA_OTHER"):
        load(reader("[DELTA_OTHER] Versions (0, 3)"), "/tables/orders")
