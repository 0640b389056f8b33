# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The condition of an exception, as a user compares with it."""

from __future__ import annotations

import pytest

from deltasource import NoOffsetError, error_condition
from support.fake_runs import failure


@pytest.mark.parametrize(
    ("error", "condition"),
    [
        (failure("DELTASOURCE_FILE_VACUUMED"), "DELTASOURCE_FILE_VACUUMED"),
        (NoOffsetError("nothing"), "DELTASOURCE_NO_OFFSET"),
        (
            RuntimeError("org.apache.spark.SparkException: [DELTA_ILLEGAL_OPTION] no"),
            "DELTA_ILLEGAL_OPTION",
        ),
        (ValueError("no amount"), None),
        (RuntimeError("[STREAM_FAILED] Query [id = a] terminated with exception: no more"), None),
    ],
    ids=str,
)
def test_the_condition_is_that_of_the_cause(error: BaseException, condition: str | None) -> None:
    """Not STREAM_FAILED, which every failed query has."""
    assert error_condition(error) == condition
