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
    """Return an offset as a source writes it."""
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
    """An offset written by a source is read and written again with the same bytes."""
    assert Offset.parse(written) == offset
    assert offset.to_json() == written
    assert Offset.parse(json.loads(written)) == offset


def test_both_base_indexes_are_equal() -> None:
    """The base index of a version is -1 on disk and -100 in memory, and both are accepted."""
    assert Offset.parse(text(3, 7, -100)) == Offset.parse(text(1, 7, -1))


@pytest.mark.parametrize("none", [None, "null", "None", " null\n"])
def test_no_offset_yet_is_none(none: str | None) -> None:
    """Spark's progress of a stream that has not begun has no offset, which is no error."""
    assert Offset.parse(none) is None


def test_spaces_order_and_unknown_fields_are_ignored() -> None:
    """Progress has the same offset with other spaces, and later formats may add fields."""
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
def test_an_invalid_offset_is_refused(broken: str) -> None:
    """The error shows the start of the text, and the format of an offset."""
    with pytest.raises(MalformedOffsetError, match='"reservoirVersion":7') as error:
        Offset.parse(broken)
    assert str(error.value).startswith("[DELTASOURCE_MALFORMED_OFFSET]")
    assert len(str(error.value)) < 400


def test_a_newer_format_is_refused_as_such() -> None:
    """An offset of a later format is not reported as damaged: it needs a newer package."""
    with pytest.raises(NewerOffsetError, match="got 4") as error:
        Offset.parse(text(4, 1, 0))
    assert error.value.condition == "DELTA_INVALID_FORMAT_FROM_SOURCE_VERSION"


@pytest.mark.parametrize(("version", "index"), [(-1, 0), (0, -1), (True, 0), (0, 1.0), ("1", 0)])
def test_an_impossible_offset_is_refused(version: Any, index: Any) -> None:
    """The constructor checks its values."""
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
            "Everything before version 9 has been read, and the schema change in version 9 is "
            "before this position; its files come next, once the schema log contains the new "
            "schema.",
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
def test_each_kind_of_offset_has_its_sentence(offset: Offset, sentence: str) -> None:
    """The sentence says what has been read and what comes next."""
    assert offset.explain() == sentence


def test_offsets_are_values() -> None:
    """Offsets are immutable, compare by value, and can be pickled."""
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
def test_an_offset_reads_back_normalized(offset: Offset) -> None:
    """An offset reads back unchanged, but the end of a version as the start of the next one."""
    assert Offset.parse(offset.to_json()) == offset.normalized
    assert offset.normalized.normalized == offset.normalized


@given(OFFSETS, OFFSETS)
def test_order_is_version_then_index(one: Offset, other: Offset) -> None:
    """An offset with a later version, or a later index in the same one, is greater."""
    first, second = (one.version, one.index), (other.version, other.index)
    assert (first < second) <= (one < other)
    assert (first == second) >= (one == other)


@given(OFFSETS)
def test_every_offset_has_one_sentence(offset: Offset) -> None:
    """Any offset has one sentence, which names its version."""
    sentence = offset.explain()
    assert sentence[0].isupper()
    assert sentence.count(".") == 1
    assert f"version {offset.version}" in sentence
