# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The table of options in the jar and Python's options are the same."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Final, get_args

import pytest

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
from deltasource._options import keys
from deltasource._options.validation import OnChange
from deltasource._session import bundle, own_confs
from docs.options import RESOURCE, SOURCE, Option, Options, read

# Time travel options do not apply to streams, so they are not among our keys.
TIME_TRAVEL: Final = {"versionAsOf", "timestampAsOf"}
VALUES: Final[Mapping[str, object]] = {
    "start=Version(7)": Version(7),
    "start=Latest()": Latest(),
    "start=Time(at)": Time(datetime(2026, 1, 31, tzinfo=timezone.utc)),
    "max_files": 5,
    "max_bytes": 5,
    "exclude_regex": "x",
    "fail_on_data_loss": False,
    "schema_tracking": SchemaTracking(location="s"),
    "schema_tracking.source_id": SchemaTracking(location="s", source_id="a"),
    "schema_tracking.allow_drop": SchemaTracking(location="s", allow_drop="always"),
    "schema_tracking.allow_rename": SchemaTracking(location="s", allow_rename=7),
    "schema_tracking.allow_type_change": SchemaTracking(location="s", allow_type_change=7),
    **{f'on_change="{change}"': change for change in get_args(OnChange)},
}
"""For each Python type in the table, a value that is not the default."""


def entry(name: str) -> bytes:
    """Return the content of an entry of the built jar."""
    with zipfile.ZipFile(bundle.jar_path()) as jar:
        return jar.read(name)


@pytest.fixture(scope="module")
def carried() -> Options:
    """Return the table of options in the built jar."""
    return read(entry(RESOURCE))


def by_name(options: Sequence[Option]) -> Mapping[str, str]:
    """Return the field of each option in Python; for a nested field, the outer one."""
    return {one.name: one.fields[0].split(".")[0] for one in options if one.fields}


def names(of: type) -> set[str]:
    return {field.name for field in fields(of)}


def test_the_jar_has_the_table_of_the_repository(root: Path) -> None:
    """The table in the built jar is the file it was built from."""
    assert entry(RESOURCE) == (root / SOURCE).read_bytes()


def test_every_option_has_its_name_in_python(carried: Options) -> None:
    """The options of each kind in the table are those in Python, and the other way round."""
    reader, functions, writer = (carried.sections[of] for of in ("reader", "functions", "writer"))
    assert by_name(reader) == keys.READ_FIELDS
    assert by_name(functions) == keys.FUNCTIONS
    assert by_name(writer) == keys.WRITE_FIELDS
    assert {one.name: one.old_name_of for one in reader if not one.python} == keys.OLD_NAMES
    assert {one.name for one in functions if not one.python} == TIME_TRAVEL


def test_every_field_has_its_option(carried: Options) -> None:
    """The table names all fields of our options, and only fields and functions of ours."""
    reader = {field for one in carried.sections["reader"] for field in one.fields}
    outer = {field for field in reader if "." not in field}
    assert outer == names(ReadOptions) - {"extra"}
    tracking = {field.removeprefix("schema_tracking.") for field in reader - outer}
    assert tracking == names(SchemaTracking) - {"location"}
    writer = {field for one in carried.sections["writer"] for field in one.fields}
    assert writer == names(WriteOptions) - {"mode", "partition_by", "extra"}
    functions = {field for one in carried.sections["functions"] for field in one.fields}
    assert functions <= set(deltasource.__all__)


def test_each_option_is_what_python_writes(carried: Options) -> None:
    """A row's Python field sets the option of that row."""
    for one in carried.sections["reader"]:
        for python, field in zip(one.python, one.fields, strict=True):
            given: dict[str, Any] = {field.split(".")[0]: VALUES[python]}
            # A tracking option always comes with its location.
            tracked = {keys.SCHEMA_TRACKING_LOCATION} if "." in field else set[str]()
            assert set(ReadOptions(**given).to_spark()) - tracked == {one.name}


def test_defaults_are_those_of_python(carried: Options) -> None:
    """If Python has a default other than None, the table has the same."""
    reader = {one.name: one for one in carried.sections["reader"]}
    assert f"`{Snapshot()}`" in (reader[keys.STARTING_VERSION].by_default or "")
    assert reader[keys.FAIL_ON_DATA_LOSS].default is ReadOptions().fail_on_data_loss
    for change in get_args(OnChange):
        for name in ReadOptions(on_change=change).to_spark():
            assert reader[name].default is (ReadOptions().on_change == change)
    for one in carried.sections["writer"]:
        assert one.default == getattr(WriteOptions(), one.fields[0])


def test_bounds_are_those_of_python(carried: Options) -> None:
    """The least value of a row is accepted, and the one below it is refused."""
    bounded = [one for one in carried.sections["reader"] if one.least is not None]
    assert bounded
    for one in bounded:
        assert one.least is not None
        assert one.name in ReadOptions.from_dict({one.name: one.least}).to_spark()
        with pytest.raises(OptionsError):
            ReadOptions.from_dict({one.name: one.least - 1})


def test_types_are_a_closed_set(carried: Options) -> None:
    """Every type name is explained, and each explained name is used."""
    assert {one.type for of in carried.sections.values() for one in of} == set(carried.types)


def test_no_option_is_listed_twice(carried: Options) -> None:
    """No two names differ only in case, and an old name belongs to another row."""
    options = [one for of in carried.sections.values() for one in of]
    assert len({one.name.lower() for one in options}) == len(options)
    assert {one.old_name_of for one in options} - {None} <= {one.name for one in options}


def test_conditions_are_those_of_the_jar(carried: Options) -> None:
    """Every condition listed for a wrong option is one of Delta's in the jar."""
    known = json.loads(entry("error/delta-error-classes.json"))
    conditions = {name for of in carried.sections.values() for one in of for name in one.errors}
    assert conditions
    assert sorted(conditions - set(known)) == []


def test_linked_pages_exist(carried: Options, root: Path) -> None:
    """Every page that a row links to exists."""
    pages = {one.see for of in carried.sections.values() for one in of} - {None}
    assert [page for page in pages if page and not (root / page).is_file()] == []


def test_python_knows_the_session_confs(carried: Options) -> None:
    """`configure` refuses other names with our prefix and invalid values; so does the doctor."""
    assert {one.name: one.type for one in carried.sections["confs"]} == own_confs.KNOWN
