# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Mistakes of different kinds that one error reports, and what it suggests instead."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import pytest

import deltasource
from deltasource import MalformedOffsetError, Offset, OptionsError, ReadOptions, WriteOptions
from support.fake_events import Events
from support.fake_streams import Session, Streams

SESSION: Any = Session(Streams())
LATES: Any = "lates"
INFO: Any = "info"


def problems(call: Callable[[], object]) -> list[tuple[str, str]]:
    """Return what is wrong with a call: the argument, and what it must be."""
    with pytest.raises(OptionsError) as error:
        call()
    return [(one.option, one.reason) for one in error.value.problems]


def names(call: Callable[[], object]) -> list[str]:
    return [name for name, _ in problems(call)]


def test_write_stream_reports_arguments_and_options() -> None:
    """The name is an argument of the function, the others are fields of WriteOptions."""
    events: Any = Events()
    found = names(
        lambda: deltasource.write_stream(
            events,
            "./t",
            checkpoint="c",
            name="",
            merge_schema="yes",  # type: ignore[arg-type]
            mode="update",  # type: ignore[arg-type]
            overwrite_schema=True,
        )
    )
    assert found == ["name", "mode", "merge_schema", "overwrite_schema"]


def test_write_stream_reports_folders_and_columns_with_them() -> None:
    """What the stream and its folders say is not a second error."""
    events: Any = Events()
    found = names(
        lambda: deltasource.write_stream(
            events,
            "./t",
            checkpoint="./t/c",
            trigger="often",
            merge_schema="yes",  # type: ignore[arg-type]
            partition_by=["nowhere"],
        )
    )
    assert found == ["trigger", "checkpoint", "partition_by", "merge_schema"]
    wrong: Any = {"partition_by": {"id": 1}}
    found = names(lambda: deltasource.write_stream(events, "./t", checkpoint="./c", **wrong))
    assert found == ["partition_by"]


def test_apply_changes_reports_what_needs_no_stream_without_one() -> None:
    """And the folders together with the settings."""
    wrong: Any = {"keys": 5, "mode": "complete", "tombstones": 7, "stored_as_scd_type": 3}
    nothing: Any = None
    found = names(lambda: deltasource.apply_changes(nothing, "", checkpoint="", **wrong))
    assert found == ["changes", "target", "checkpoint", "keys", "mode", *list(wrong)[2:]]
    events: Any = Events()
    found = names(lambda: deltasource.apply_changes(events, "./t", checkpoint="./t/c", **wrong))
    assert ("checkpoint" in found, "tombstones" in found) == (True, True)


def test_read_stream_reports_arguments_and_options() -> None:
    """The name of the source is an argument of the function."""
    found = names(
        lambda: deltasource.read_stream(SESSION, "", source_name="a-b", max_files=0),
    )
    assert found == ["path_or_table", "source_name", "max_files"]


def test_stream_changes_reports_arguments_and_options() -> None:
    """So does a change feed, which has one rule more."""
    options = ReadOptions(on_change="reemit")
    found = names(
        lambda: deltasource.stream_changes(
            SESSION, "", options=options, source_name="a-b", max_files=0
        ),
    )
    assert found == ["path_or_table", "source_name", "on_change", "max_files"]


def test_an_offset_reports_both_numbers() -> None:
    """A constructor gets no advice about JSON; the JSON of an offset does."""
    with pytest.raises(MalformedOffsetError) as error:
        Offset(-1, -50)
    assert error.value.args[0] == (
        "version must be at least 0, got -1; index must be at least 0, -100, -20 or -19, got -50"
    )
    with pytest.raises(MalformedOffsetError, match=r"got -1; index .* give the JSON of a Delta"):
        Offset.parse(
            '{"sourceVersion":1,"reservoirId":"a","reservoirVersion":-1,"index":-50,'
            '"isStartingVersion":false}'
        )


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("max_files", "is an argument of ReadOptions: give it there, or as Spark's maxFilesPer"),
        ("start", "is an argument of ReadOptions: give it there, or as Spark's startingTimestamp"),
        ("merge_schema", "is an argument of write_stream, not of a reader"),
        ("mergeSchema", "must be left out: it is an option of writes: use merge_schema of write"),
        ("checkpointLocation", "must be left out: it is an option of writes: use checkpoint of"),
    ],
)
def test_options_of_writes_and_arguments_are_told_apart(name: str, reason: str) -> None:
    """An option that is none of a stream's reader says where it belongs."""
    ((_, found),) = problems(lambda: ReadOptions.from_dict({name: "5"}))
    assert found.startswith(reason)


def test_a_reader_refuses_an_extra_option_of_writes() -> None:
    """Delta would ignore it."""
    ((_, found),) = problems(lambda: ReadOptions(extra={"mergeSchema": "true"}))
    assert found == "must be left out: it is an option of writes: use merge_schema of write_stream"
    assert WriteOptions(merge_schema=True).to_spark() == {"mergeSchema": "true"}


@pytest.mark.parametrize(
    ("allow", "hint"),
    [
        ({"rename"}, 'write allow={"renamed"}'),
        ({"rename", "renamed"}, 'write allow={"renamed"}'),
        ({"rename", "drop", "add"}, 'write allow={"added", "dropped", "renamed"}'),
        ("added", 'write allow={"added"}'),
        (["added", "Widened"], 'write allow={"added", "widened"}'),
        ({"x"}, "must be a set of kinds of change: added"),
        ({7}, "must be a set of kinds of change: added"),
    ],
)
def test_kinds_of_changes_have_suggestions(allow: Collection[Any], hint: str) -> None:
    """A word that is nearly a kind is suggested."""
    ((_, found),) = problems(
        lambda: deltasource.run_until(lambda: None, location="log", allow=allow)  # type: ignore[arg-type, return-value]
    )
    assert hint in found


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda: ReadOptions(start=LATES), "write start=Latest()"),
        (lambda: deltasource.log_progress(level=INFO), "write level=logging.INFO"),
    ],
)
def test_other_words_have_suggestions(call: Callable[[], object], hint: str) -> None:
    """The suggestion is Python that can be pasted."""
    ((_, found),) = problems(call)
    assert hint in found
