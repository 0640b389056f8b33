# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Offsets as values, as JSON and as sentences."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltasource import MalformedOffsetError, NewerOffsetError, Offset
from deltasource._checkpoint.offset import AFTER_SCHEMA_CHANGE, BEGIN, END, SCHEMA_CHANGE

MAX_LONG = 2**63 - 1


def text(form: int, version: int, index: int, *, snapshot: bool = False) -> str:
    """Answer an offset as a source writes it."""
    return (
        f'{{"sourceVersion":{form},"reservoirId":"id","reservoirVersion":{version},'
        f'"index":{index},"isStartingVersion":{str(snapshot).lower()}}}'
    )


@pytest.mark.parametrize(
    ("written", "offset"),
    [
        (text(1, 7, -1), Offset(7, BEGIN, table_id="id")),
        (text(1, 4, 999, snapshot=True), Offset(4, 999, is_initial_snapshot=True, table_id="id")),
        (text(3, 9, -20), Offset(9, SCHEMA_CHANGE, table_id="id")),
        (text(3, 9, -19), Offset(9, AFTER_SCHEMA_CHANGE, table_id="id")),
        (text(1, 5, 0), Offset(5, 0, table_id="id")),
    ],
)
def test_an_offset_is_read_and_written_byte_for_byte(written: str, offset: Offset) -> None:
    """What a source writes is read as its place, and written again with the same bytes."""
    assert Offset.parse(written) == offset
    assert offset.to_json() == written
    assert Offset.parse(json.loads(written)) == offset


def test_both_numbers_of_the_beginning_are_one_place() -> None:
    """The beginning of a version is -1 on disk and -100 in memory, and either is read."""
    assert Offset.parse(text(3, 7, -100)) == Offset.parse(text(1, 7, -1))


@pytest.mark.parametrize("none", [None, "null", "None", " null\n"])
def test_no_offset_yet_is_none(none: str | None) -> None:
    """What Spark's progress says of a stream that has not begun is no offset, and no mistake."""
    assert Offset.parse(none) is None


def test_spacing_order_and_unknown_fields_do_not_matter() -> None:
    """Progress writes the same offset with other spaces, and later forms may add fields."""
    values = {**json.loads(text(1, 5, 0)), "new": {"deep": [1]}}
    spaced = json.dumps(dict(reversed(values.items())), indent=2)
    assert Offset.parse(spaced) == Offset(5, 0, table_id="id")


@pytest.mark.parametrize(
    "broken",
    [
        "",
        "garbage",
        "5",
        "[]",
        '"null"',
        "true",
        "NaN",
        "[" * 100_000,
        text(1, 1, 0)[:-40],
        text(0, 1, 0),
        text(2, 1, 0),
        text(1, -1, 0),
        text(1, 1, -2),
        text(1, 1, -101),
        text(1, 2**63, 0),
        text(1, 1, 2**63),
        text(1, 1, 0).replace('"id"', "null"),
        text(1, 1, 0).replace('"id"', "5"),
        text(1, 1, 0).replace('"index":0', '"index":"0"'),
        text(1, 1, 0).replace('"index":0', '"index":0.0'),
        text(1, 1, 0).replace('"index":0', '"index":true'),
        text(1, 1, 0).replace("false", '"false"'),
        text(1, 1, 0).replace('"index":0,', ""),
        text(1, 1, 0).replace('"sourceVersion":1,', ""),
        text(1, 1, 0).replace(',"isStartingVersion":false', ""),
        "{}",
    ],
)
def test_what_is_no_offset_is_refused(broken: str) -> None:
    """Damaged text is refused by name, shown cut short, with the form an offset has."""
    with pytest.raises(MalformedOffsetError, match='"reservoirVersion":7') as error:
        Offset.parse(broken)
    assert str(error.value).startswith("[DELTASOURCE_MALFORMED_OFFSET]")
    assert len(str(error.value)) < 400


def test_a_newer_form_is_refused_as_such() -> None:
    """An offset of a later form is not called damaged: it asks for a newer package."""
    with pytest.raises(NewerOffsetError, match="got 4") as error:
        Offset.parse(text(4, 1, 0))
    assert error.value.condition == "DELTA_INVALID_FORMAT_FROM_SOURCE_VERSION"


@pytest.mark.parametrize(("version", "index"), [(-1, 0), (0, -1), (True, 0), (0, 1.0), ("1", 0)])
def test_an_offset_that_cannot_be_is_not_made(version: Any, index: Any) -> None:
    """A value checks itself when it is made."""
    with pytest.raises(MalformedOffsetError):
        Offset(version, index)


@pytest.mark.parametrize(
    ("offset", "sentence"),
    [
        (Offset(0, BEGIN), "Nothing has been read, and nothing of version 0 yet."),
        (
            Offset(7, BEGIN),
            "Everything before version 7 has been read, and nothing of version 7 yet.",
        ),
        (
            Offset(7, 0),
            "Everything before version 7 has been read, and the first file of version 7.",
        ),
        (
            Offset(7, 12),
            "Everything before version 7 has been read, and the first 13 files of version 7.",
        ),
        (
            Offset(0, 1),
            "Everything before version 0 has been read, and the first 2 files of version 0.",
        ),
        (
            Offset(7, END),
            "Everything up to version 7 has been read; version 8 comes next.",
        ),
        (
            Offset(9, SCHEMA_CHANGE),
            "Everything before version 9 has been read; version 9 changes the schema, which is "
            "recorded before its files are read.",
        ),
        (
            Offset(9, AFTER_SCHEMA_CHANGE),
            "Everything before version 9 has been read, and the schema change in version 9 has "
            "been recorded; its files come next.",
        ),
        (
            Offset(4, BEGIN, is_initial_snapshot=True),
            "In the initial snapshot, which is the table at version 4: nothing of it has been "
            "read yet.",
        ),
        (
            Offset(4, 999, is_initial_snapshot=True),
            "In the initial snapshot, which is the table at version 4: the first 1000 files of "
            "it have been read; the commits from version 5 on come next.",
        ),
        (
            Offset(4, END, is_initial_snapshot=True),
            "In the initial snapshot, which is the table at version 4: all of it has been "
            "read; the commits from version 5 on come next.",
        ),
    ],
)
def test_each_place_has_its_sentence(offset: Offset, sentence: str) -> None:
    """One sentence says what has been read and what comes next."""
    assert offset.explain() == sentence


def test_offsets_are_values() -> None:
    """Offsets cannot be changed, compare whole, and travel between processes."""
    one = Offset(3, 2, table_id="a")
    assert pickle.loads(pickle.dumps(one)) == one
    assert one != Offset(3, 2, table_id="b")
    with pytest.raises(AttributeError):
        one.index = 5  # type: ignore[misc] # the point of the test


PLACES = st.sampled_from([BEGIN, SCHEMA_CHANGE, AFTER_SCHEMA_CHANGE, END]) | st.integers(0, END - 1)
OFFSETS = st.builds(
    Offset,
    st.integers(0, MAX_LONG - 1),
    PLACES,
    is_initial_snapshot=st.booleans(),
    table_id=st.text(st.characters(exclude_categories=["Cs"])),
)


@given(OFFSETS)
def test_an_offset_reads_back_settled(offset: Offset) -> None:
    """An offset reads back as it was, the end of a version as the beginning of the next one."""
    assert Offset.parse(offset.to_json()) == offset.settled
    assert offset.settled.settled == offset.settled


@given(OFFSETS, OFFSETS)
def test_order_is_version_then_index(one: Offset, other: Offset) -> None:
    """An offset of a later version, or of a later place in the same one, comes after."""
    first, second = (one.version, one.index), (other.version, other.index)
    assert (first < second) <= (one < other)
    assert (first == second) >= (one == other)


@given(OFFSETS)
def test_every_offset_has_one_sentence(offset: Offset) -> None:
    """Whatever the place, it is told in one sentence that names its version."""
    sentence = offset.explain()
    assert sentence[0].isupper()
    assert sentence.count(".") == 1
    assert f"version {offset.version}" in sentence
