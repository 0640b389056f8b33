# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Where a stream can start, without Spark."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from deltasource import OptionsError, Time, Version


@pytest.mark.parametrize("number", [-1, 2**63, True, 1.0, "1", None])
def test_an_invalid_version_is_refused(number: Any) -> None:
    """A version is an integer that a commit can have."""
    with pytest.raises(OptionsError) as error:
        Version(number)
    assert [problem.option for problem in error.value.problems] == ["Version.number"]


@pytest.mark.parametrize(
    "time",
    [
        datetime(2026, 1, 1),
        "2026-01-01T00:00:00Z",
        None,
        datetime.max.replace(tzinfo=timezone(timedelta(hours=-1))),
        datetime.min.replace(tzinfo=timezone(timedelta(hours=1))),
    ],
)
def test_a_time_without_zone_or_out_of_range_is_refused(time: Any) -> None:
    """A time must be one instant, in the range that Spark supports."""
    with pytest.raises(OptionsError) as error:
        Time(time)
    assert [problem.option for problem in error.value.problems] == ["Time.at"]
