# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What errors say about values that are nearly right."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import deltasource
from deltasource import (
    Latest,
    OptionsError,
    ReadOptions,
    SchemaTracking,
    Snapshot,
    Time,
    Version,
    WriteOptions,
)
from deltasource._options import hints
from support.fake_readers import Reader, Session
from support.fake_writers import written

MIDNIGHT = "datetime(2026, 1, 1, 0, 0, tzinfo=timezone.utc)"
NAMES = {
    "Latest": Latest,
    "Snapshot": Snapshot,
    "Time": Time,
    "Version": Version,
    "datetime": datetime,
    "timezone": timezone,
}

READ = [
    ("start", "Latest", "Latest()"),
    ("start", Latest, "Latest()"),
    ("start", "lattest", "Latest()"),
    ("start", "now", "Latest()"),
    ("start", "earliest", "Snapshot()"),
    ("start", " 7", "Version(7)"),
    ("start", 7.0, "Version(7)"),
    ("start", "2026-01-01", f"Time({MIDNIGHT})"),
    ("start", date(2026, 1, 1), f"Time({MIDNIGHT})"),
    ("start", "2026-01-01T00:00:00Z", f"Time({MIDNIGHT})"),
    ("start", "2026-01-01 02:00:00+02:00", f"Time({MIDNIGHT})"),
    ("max_files", "10", "10"),
    ("max_files", 1000.0, "1000"),
    ("max_bytes", "1 GiB", '"1gb"'),
    ("max_bytes", "512 mb", '"512mb"'),
    ("max_bytes", 1e9, "1000000000"),
    ("on_change", "skipChangeCommits", '"skip_commits"'),
    ("on_change", "ignoreChanges", '"reemit"'),
    ("on_change", "ignoreDeletes", '"ignore_deletes"'),
    ("on_change", "SKIP-COMMITS", '"skip_commits"'),
    ("on_change", "ignore_delete", '"ignore_deletes"'),
    ("fail_on_data_loss", "false", "False"),
]
WRITTEN = [
    ("mode", "Append", '"append"'),
    ("merge_schema", "true", "True"),
    ("overwrite_schema", "TRUE", "True"),
]
TRIGGERS = [
    ("availableNow", '"available_now"'),
    ("AVAILABLE NOW", '"available_now"'),
    ("once", '"available_now"'),
    ("5min", '"5 minutes"'),
    ("5 mins", '"5 minutes"'),
    ("30s", '"30 seconds"'),
    ("1h", '"1 hour"'),
    ("100ms", '"100 milliseconds"'),
    ("5 minuts", '"5 minutes"'),
    ("1 minuts", '"1 minute"'),
    ("2 wks", '"2 weeks"'),
    ("5", '"5 seconds"'),
    (5, '"5 seconds"'),
    (1.0, '"1 second"'),
]
UNKNOWN: dict[str, list[object]] = {
    "start": [-1, True, "yesterday", None, 2**64, []],
    "max_files": [0, "0", True, "many", 1.5, "2147483648"],
    "max_bytes": ["1.5g", "0 kb", "8192 pb", b"1g", 1.5, 0.0],
    "on_change": ["ignore", "drop", None, True],
    "fail_on_data_loss": ["no", 0, None],
}


def refused(call: Callable[[], object], option: str) -> str:
    """Return what the error says about the only option that is wrong."""
    with pytest.raises(OptionsError) as error:
        call()
    (problem,) = error.value.problems
    assert problem.option == option
    return problem.reason


@pytest.mark.parametrize(
    ("options", "option", "value", "meant"),
    [
        *((ReadOptions, *one) for one in READ),
        *((WriteOptions, *one) for one in WRITTEN),
    ],
)
def test_the_nearest_valid_value_is_written_out(
    options: Callable[..., Any], option: str, value: object, meant: str
) -> None:
    """The error has the argument as it must be written, and that is valid."""
    reason = refused(lambda: options(**{option: value}), option)
    assert reason.endswith(f": write {option}={meant}")
    needed = {"mode": "complete"} if option == "overwrite_schema" else {}
    options(**{option: eval(meant, NAMES)} | needed)


def test_the_value_comes_before_the_advice() -> None:
    """What is wrong and the value stand together; what to do comes last."""
    with pytest.raises(OptionsError) as error:
        ReadOptions(on_change="skipChangeCommits")  # type: ignore[arg-type]
    (problem,) = error.value.problems
    assert str(problem).endswith(""", got 'skipChangeCommits': write on_change="skip_commits\"""")


@pytest.mark.parametrize(
    ("option", "value"), [(name, one) for name, values in UNKNOWN.items() for one in values]
)
def test_a_value_that_resembles_none_gets_no_hint(option: str, value: Any) -> None:
    """A wrong guess would be worse than none."""
    assert "write" not in refused(lambda: ReadOptions(**{option: value}), option)


@pytest.mark.parametrize(("value", "meant"), TRIGGERS)
def test_a_trigger_of_another_spelling_is_written_out(value: Any, meant: str) -> None:
    """Spark's own name, intervals with short or misspelled units, and numbers of seconds."""
    reason = refused(lambda: written("t", checkpoint="c", trigger=value), "trigger")
    assert reason.endswith(f": write trigger={meant}")
    written("t", checkpoint="c", trigger=meant.strip('"'))


@pytest.mark.parametrize("value", ["1 month", "5 quux", "5 m n", "-5s", "now", -5, 0.5, True])
def test_an_unknown_trigger_gets_no_hint(value: object) -> None:
    """Months have no length."""
    assert hints.nearest_trigger(value) is None


@pytest.mark.parametrize(
    ("value", "meant"),
    [
        ("7 days", "timedelta(days=7)"),
        ("36 hours", "timedelta(hours=36)"),
        ("90 seconds", "timedelta(seconds=90)"),
        ("120 seconds", "timedelta(minutes=2)"),
        ("1 month", None),
        (7, None),
    ],
)
def test_an_interval_says_which_timedelta_it_is(value: object, meant: str | None) -> None:
    """A number alone has no unit."""
    assert hints.nearest_timedelta(value) == meant


@pytest.mark.parametrize(
    ("value", "unit", "meant"),
    [
        (7, "days", "timedelta(days=7)"),
        (60, "seconds", "timedelta(minutes=1)"),
        (0.5, "seconds", "timedelta(seconds=0.5)"),
        ("7 days", "seconds", "timedelta(days=7)"),
        (True, "days", None),
    ],
)
def test_a_number_alone_counts_in_the_unit_of_its_argument(
    value: object, unit: str, meant: str | None
) -> None:
    """Text with a unit keeps its own."""
    assert hints.nearest_timedelta(value, unit=unit) == meant


def test_what_acknowledges_all_changes_says_how_to_write_it() -> None:
    """True is no version, although Python counts it as 1."""
    wrong: Any = True
    reason = refused(lambda: SchemaTracking(location="c/s", allow_drop=wrong), "allow_drop")
    assert reason.endswith(': write allow_drop="always"')


def test_a_time_and_a_version_say_how_to_write_them() -> None:
    """Also the bounds of a batch of changes, which have no words."""
    assert refused(lambda: Time("2026-01-01"), "Time.at").endswith(f": write at={MIDNIGHT}")  # type: ignore[arg-type]
    assert refused(lambda: Version("7"), "Version.number").endswith(": write number=7")  # type: ignore[arg-type]

    def read(**bounds: Any) -> object:
        return deltasource.read_changes(Session(read=Reader()), "orders", **bounds)

    assert refused(lambda: read(start="7"), "start").endswith(": write start=Version(7)")
    assert refused(lambda: read(start="latest"), "start").endswith("or Time(at)")
    wrong_end = refused(lambda: read(start=1, end="2026-01-01"), "end")
    assert wrong_end.endswith(f": write end=Time({MIDNIGHT})")


VALUES = st.text() | st.datetimes() | st.dates() | st.floats() | st.integers() | st.none()
NUMBERS = st.from_regex(r"\s*-?[0-9]{1,22}\s?[kmgtp]?i?b?", fullmatch=True)


@given(VALUES | NUMBERS)
def test_whatever_is_written_out_is_valid(value: object) -> None:
    """A hint that is refused in turn would be worse than none, and so would one that fails."""
    for option, nearest in (
        ("start", hints.nearest_start(value)),
        ("max_files", hints.nearest_integer(value, range(1, 2**31))),
        ("max_bytes", hints.nearest_size(value)),
        ("fail_on_data_loss", hints.nearest_flag(value)),
    ):
        if nearest is not None:
            ReadOptions(**{option: eval(nearest, NAMES)})


@given(VALUES | st.from_regex(r"[0-9]{1,12} ?[a-z]{1,4}", fullmatch=True))
def test_a_trigger_that_is_written_out_is_valid(value: object) -> None:
    """Spark accepts it."""
    nearest = hints.nearest_trigger(value)
    if nearest is not None:
        written("t", checkpoint="c", trigger=nearest.strip('"'))
