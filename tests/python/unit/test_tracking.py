# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Schema logs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deltasource import (
    Checkpoint,
    CheckpointError,
    RemotePathError,
    SchemaLogError,
    TrackedSchema,
    schema_log,
)
from deltasource._checkpoint.tracked_schema import changes_by_entry
from support.checkpoint_samples import OTHER, TABLE, checkpoint, put

LOG = f"_schema_log_{TABLE}"
NONE = '{"type":"struct","fields":[]}'


def schema(*names: str) -> str:
    """Return a schema of integer columns, as Spark writes it."""
    fields = [{"name": name, "type": "long", "nullable": True, "metadata": {}} for name in names]
    return json.dumps({"type": "struct", "fields": fields}, separators=(",", ":"))


def values(version: int, *names: str, **others: Any) -> dict[str, Any]:
    """Return an entry's values in the order and format of delta-spark 4.4.0."""
    return {
        "tableId": TABLE,
        "deltaCommitVersion": version,
        "dataSchemaJson": schema(*names),
        "partitionSchemaJson": NONE,
        "sourceMetadataPath": "/c/sources/0",
        "tableConfigurations": {},
        "protocolJson": '{"protocol":{"minReaderVersion":1,"minWriterVersion":2}}',
        **others,
    }


def entry(log: Path, number: int, content: object) -> Path:
    return put(log, str(number), "v1\n" + json.dumps(content, separators=(",", ":")))


@pytest.fixture
def location(tmp_path: Path) -> Path:
    """Return a location with one log: a column added, replaced by another, then a partition."""
    checkpoint(tmp_path)
    log = tmp_path / "schemas" / LOG
    entry(log, 0, values(0, "id"))
    entry(log, 1, values(2, "id", "a"))
    entry(log, 2, values(3, "id", "b", previousMetadataSeqNum=0))
    entry(log, 3, values(5, "id", "b", partitionSchemaJson=schema("b")))
    return log.parent


def test_entries_are_in_order(location: Path) -> None:
    """Each entry has its table, version, schemas, and the previous entry."""
    read = Checkpoint(location.parent).schema_log(location)
    assert [(one.number, one.version, one.previous) for one in read] == [
        (0, 0, None),
        (1, 2, 0),
        (2, 3, 0),
        (3, 5, 2),
    ]
    assert read[1] == TrackedSchema(
        log=LOG,
        number=1,
        table_id=TABLE,
        version=2,
        schema=schema("id", "a"),
        partition_schema=NONE,
        previous=0,
    )


def test_the_log_is_found_from_its_location_its_folder_and_its_checkpoint(location: Path) -> None:
    """A log is read by its tracking location, its own folder, or the checkpoint that has it."""
    read = Checkpoint(location.parent)
    whole = read.schema_log(location)
    assert (read.schema_log(location / LOG), read.schema_log()) == (whole, whole)
    # The command `schema-log` and the method give one answer.
    assert schema_log(location.parent) == whole
    with pytest.raises(RemotePathError):
        read.schema_log("nowhere://b/c")


def test_an_entry_that_replaces_the_first_one_has_no_previous_entry(tmp_path: Path) -> None:
    """delta-spark writes -1 when it merges a change into the first entry."""
    entry(tmp_path / LOG, 0, values(0, "id"))
    entry(tmp_path / LOG, 1, values(2, "id", "a", previousMetadataSeqNum=-1))
    assert [one.previous for one in schema_log(tmp_path)] == [None, None]


def test_several_logs_are_read_separately(tmp_path: Path) -> None:
    """Two sources at one location have separate logs; entry 10 comes after entry 9."""
    for number in range(11):
        entry(tmp_path / f"{LOG}_mine", number, values(number, "id"))
    entry(tmp_path / f"_schema_log_{OTHER}", 0, values(0, "a", tableId=OTHER))
    read = schema_log(tmp_path)
    assert [one.number for one in read] == [0, *range(11)]
    assert [one.table_id for one in read] == [OTHER, *[TABLE] * 11]
    assert set(changes_by_entry(read)) == {(f"{LOG}_mine", number) for number in range(1, 11)}


def test_each_entry_is_compared_with_the_one_written_before_it(location: Path) -> None:
    """The changes from entry to entry are listed, including partition columns."""
    found = changes_by_entry(schema_log(location))
    assert {number: list(map(str, one)) for (_, number), one in found.items()} == {
        1: ["added: a (long)"],
        2: ["dropped: a (long)", "added: b (long)"],
        3: ["repartitioned: by nothing -> by b"],
    }


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "its first line"),
        ("v1", "Expecting value"),
        ("v1\n{", "Expecting"),
        ("v2\n{}", "its first line must be v1, got 'v2'"),
        ("v1\n[]", "not a JSON object"),
        ("v1\n{}", "tableId must be of type str, got None"),
        *(
            ("v1\n" + json.dumps({**values(0, "id"), name: []}), f"{name} must be of type")
            for name in ("tableId", "deltaCommitVersion", "dataSchemaJson", "partitionSchemaJson")
        ),
        ("v1\n" + json.dumps(values(0, "id", previousMetadataSeqNum="0")), "previousMetadata"),
        ("v1\n" + json.dumps(values(0, "id", dataSchemaJson="{")), "not a schema"),
        ("v1\n" + json.dumps(values(0, "id", partitionSchemaJson='"long"')), "must be a struct"),
    ],
)
def test_a_damaged_entry_is_reported_with_the_fix(text: str, why: str, tmp_path: Path) -> None:
    """An unreadable entry raises an error that names its file."""
    file = put(tmp_path / LOG, "0", text)
    with pytest.raises(SchemaLogError, match=why) as error:
        schema_log(tmp_path)
    assert f"cannot read {file}" in str(error.value)
    assert "Restore it from a copy" in str(error.value)


def test_a_file_is_no_location(tmp_path: Path) -> None:
    """It exists, so it is not called missing."""
    (tmp_path / "afile").touch()
    with pytest.raises(CheckpointError, match="afile is a file: give the schemaTrackingLocation"):
        schema_log(tmp_path / "afile")


def test_a_table_is_no_location(tmp_path: Path) -> None:
    """It has no schema log, and never will."""
    (tmp_path / "_delta_log").mkdir()
    with pytest.raises(CheckpointError, match="is the folder of a table: give the schemaTracking"):
        schema_log(tmp_path)


def test_a_missing_location_is_reported(tmp_path: Path) -> None:
    """A missing location is an error, one without a log is not."""
    with pytest.raises(CheckpointError, match="schemaTrackingLocation"):
        schema_log(tmp_path / "nowhere")
    assert list(schema_log(tmp_path)) == []
