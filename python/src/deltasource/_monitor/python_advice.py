# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What Delta's errors of running streams recommend, in the words of this package's functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

IN_PYTHON: Final = "In Python: "

_TRACKING: Final = 'schema_tracking=SchemaTracking(location="<folder in the checkpoint>")'
_ACKNOWLEDGE: Final = (
    'run_until(..., location="<the location of the schemas>", allow={"added", "renamed", '
    '"dropped", "widened"}), or SchemaTracking with allow_rename, allow_drop or allow_type_change'
)
_MERGE: Final = "merge_schema=True, an argument of write_stream and apply_changes"
_ADVICE: Final[Mapping[str, str]] = {
    "DELTA_FAILED_TO_MERGE_FIELDS": 'rows.withColumn("<column>", col("<column>").cast("<type>"))',
    "DELTA_METADATA_MISMATCH": _MERGE,
    "DELTA_METADATA_MISMATCH.OVERWRITE_REQUIRED": 'overwrite_schema=True with mode="complete"',
    "DELTA_MISSING_CHANGE_DATA": "start=<the version that enabled the change feed, or a later one>",
    "DELTA_MISSING_FILES_UNEXPECTED_VERSION": (
        "fail_on_data_loss=False skips what is missing. If the log still has an earlier commit, "
        "this one was not cleaned up but lost: restore it from a copy"
    ),
    "DELTA_SCHEMA_CHANGED_WITH_STARTING_OPTIONS": "start=<a version newer than the change>",
    "DELTA_SOURCE_IGNORE_DELETE": 'on_change="ignore_deletes" or on_change="skip_commits"',
    "DELTA_SOURCE_TABLE_IGNORE_CHANGES": 'on_change="skip_commits" or on_change="reemit"',
    "DELTA_STREAMING_CANNOT_CONTINUE_PROCESSING_POST_SCHEMA_EVOLUTION": _ACKNOWLEDGE,
    "DELTA_STREAMING_INCOMPATIBLE_SCHEMA_CHANGE": _TRACKING,
    "DELTA_STREAMING_INCOMPATIBLE_SCHEMA_CHANGE_USE_SCHEMA_LOG": _TRACKING,
    "DELTA_STREAMING_SCHEMA_LOCATION_CONFLICT": (
        'SchemaTracking(location="<a folder of its own>"), or a source_id of its own'
    ),
}


def python_advice(condition: str | None) -> str | None:
    """Return what a condition recommends as Python, if Delta names an option: `In Python: ...`.

    A subclass, such as DELTA_METADATA_MISMATCH.SCHEMA_MISMATCH, has the advice of its condition
    unless it has its own.
    """
    name = condition or ""
    advice = _ADVICE.get(name, _ADVICE.get(name.partition(".")[0]))
    return None if advice is None else f"{IN_PYTHON}{advice}"


def with_advice(error: Exception, condition: str | None) -> Exception:
    """Add the advice to an exception as a note, which a traceback shows (Python 3.11 and newer)."""
    advice = python_advice(condition)
    add_note: Callable[[str], None] | None = getattr(error, "add_note", None)
    if advice is not None and add_note is not None:
        add_note(advice)
    return error
