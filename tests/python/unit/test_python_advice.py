# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Errors of running streams recommend options by their names in Spark; here they are arguments."""

from __future__ import annotations

import inspect
import sys
from types import SimpleNamespace
from typing import Any, cast

import pytest
from pyspark.errors.exceptions.base import StreamingQueryException

from deltasource import apply_changes, run_until, write_stream
from deltasource._monitor.blocked_start import BLOCKED
from deltasource._monitor.conditions import CONDITIONS
from deltasource._monitor.python_advice import _ADVICE, python_advice
from deltasource._monitor.query_run import QueryRun
from support.fake_runs import Query, failure

REWRITE = "DELTA_SOURCE_TABLE_IGNORE_CHANGES"


def test_the_event_of_a_failure_has_the_argument() -> None:
    """It comes after the message, on the same line."""
    event: Any = SimpleNamespace(
        exception=f"org.apache.Delta: [{REWRITE}] Set the option 'skipChangeCommits'.\n\tat a.b(C)",
        errorClassOnException=None,
    )
    failed: Any = QueryRun(query_id="a", run_id="b", name="c").ended(event)
    assert failed.message == (
        "Set the option 'skipChangeCommits'. In Python: on_change=\"skip_commits\" or "
        'on_change="reemit"'
    )


def test_another_schema_is_merged_with_an_argument() -> None:
    """Delta names its option mergeSchema, which `extra` refuses."""
    expected = "In Python: merge_schema=True, an argument of write_stream and apply_changes"
    assert python_advice("DELTA_METADATA_MISMATCH") == expected
    assert "cast" in str(python_advice("DELTA_FAILED_TO_MERGE_FIELDS"))
    for function in (write_stream, apply_changes):
        assert "merge_schema" in inspect.signature(function).parameters


@pytest.mark.parametrize(
    ("name", "argument"),
    [
        ("DELTA_METADATA_MISMATCH.SCHEMA_MISMATCH", "merge_schema=True"),
        ("DELTA_METADATA_MISMATCH.OVERWRITE_REQUIRED", "overwrite_schema=True"),
        ("DELTA_SCHEMA_CHANGED_WITH_STARTING_OPTIONS", "start="),
        ("DELTA_SOURCE_IGNORE_DELETE", 'on_change="ignore_deletes"'),
        (REWRITE, 'on_change="skip_commits" or on_change="reemit"'),
        (BLOCKED, 'allow={"added", "renamed", "dropped", "widened"}'),
        ("DELTA_STREAMING_SCHEMA_LOCATION_CONFLICT", "source_id"),
    ],
)
def test_each_condition_that_names_an_option_has_the_argument(name: str, argument: str) -> None:
    """Also a subclass of a condition."""
    assert argument in (python_advice(name) or "")


@pytest.mark.skipif(sys.version_info < (3, 11), reason="exceptions have notes from Python 3.11 on")
@pytest.mark.parametrize("name", ["DELTA_SOURCE_IGNORE_DELETE", "DELTA_VERSION_NOT_FOUND"])
def test_the_error_of_a_run_has_the_argument_as_a_note(name: str) -> None:
    """A traceback shows it below the message of Spark, which stays as it is."""
    query = Query(failure(name))
    with pytest.raises(StreamingQueryException) as error:
        run_until(lambda: cast(Any, query))
    assert error.value is query.error
    advice = python_advice(name)
    assert getattr(error.value, "__notes__", []) == ([] if advice is None else [advice])


def test_the_conditions_are_known() -> None:
    """A misspelled condition would never match."""
    assert {name.partition(".")[0] for name in _ADVICE} <= CONDITIONS
