# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The condition and the message in the text of an exception of Spark."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltasource._monitor.exception_text import condition_in, one_line
from deltasource._monitor.query_end import SCHEMA_EVOLVED
from support.exception_samples import CONNECT_PYTHON, PYTHON, RAISED
from support.fake_runs import failure

FAILED = "[STREAM_FAILED] Query [id = 1, runId = 2] terminated with exception:"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (str(failure(SCHEMA_EVOLVED)), SCHEMA_EVOLVED),
        (str(failure("A.B_1")), "A.B_1"),
        (f"[{SCHEMA_EVOLVED}] The schema", SCHEMA_EVOLVED),
        (f"(STREAM_FAILED) [{SCHEMA_EVOLVED}] The schema", SCHEMA_EVOLVED),
        (f"{FAILED} Job aborted", None),
        (f"{FAILED} Job aborted: terminated with exception: [{SCHEMA_EVOLVED}]", None),
        (f"something about [{SCHEMA_EVOLVED}]", None),
        (f"[OTHER] something about [{SCHEMA_EVOLVED}]", "OTHER"),
        (f"something about\n[{SCHEMA_EVOLVED}]", None),
        ("", None),
    ],
)
def test_only_the_condition_of_the_error_counts(text: str, name: str | None) -> None:
    """A condition that the message merely mentions is ignored."""
    assert condition_in(text) == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (RAISED, "mine SQLSTATE: P0001"),
        (PYTHON, "ValueError: boom"),
        (CONNECT_PYTHON, "KeyError: 'x'"),
        ("java.io.IOException: disk full\n\tat a.B.c(D.java:1)\n", "disk full"),
        (
            "java.util.concurrent.ExecutionException: java.io.IOException: disk full\n",
            "disk full",
        ),
        ("a.b.Outer$Inner: [A.B_1] text", "text"),
        ("java.lang.NullPointerException\n\tat a.B.c(D.java:1)\n", "NullPointerException"),
        ("java.io.IOException: a\nb\nCaused by: java.io.IOException: c", "a b"),
        ("a.B: [A.B_1] it changed:\n  - one\n\n  - two", "it changed: - one - two"),
        ("[A.B_1] it failed.\n== SQL (line 1) ==\n1/0\n^^^", "it failed."),
        ("word " * 300, f"{'word ' * 199}..."),
        (
            "Job aborted: org.apache.spark.SparkException: x",
            "Job aborted: org.apache.spark.SparkException: x",
        ),
        ("", ""),
    ],
)
def test_a_message_is_one_line_without_classes(text: str, message: str) -> None:
    """It is what comes before the query or the stack, or what Python prints after its frames."""
    assert one_line(text) == message


@given(st.text(alphabet="ab.:[]A_ \n\tTraceback(most recent call last):", max_size=80))
def test_any_text_gives_one_line(text: str) -> None:
    """Nothing is raised, and no line is broken."""
    assert len(one_line(text).splitlines()) <= 1
