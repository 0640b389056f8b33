# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The errors for a table that needs a newer Delta Lake.

DeltaSourceError
├── UnsupportedReadFeatureError     a newer Delta Lake is needed to read the table
└── UnsupportedWriteFeatureError    a newer Delta Lake is needed to write to the table
"""

from __future__ import annotations

import re
from typing import Final

from deltasource._errors import DeltaSourceError

_READ: Final = "DELTA_UNSUPPORTED_FEATURES_FOR_READ"
_WRITE: Final = "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE"
_FEATURES: Final = re.compile(
    rf'\[({_READ}|{_WRITE})\] [^\n]*? Delta Lake "([^"]*)": ([^\n]*?)\.(?=\s|$)'
)
_VERSIONS: Final = re.compile(
    r"\[DELTA_INVALID_PROTOCOL_VERSION\] [^\n]*? requires (reader version \d+ and writer version "
    r'\d+), but Delta Lake "([^"]*)" supports reader versions ([\d, ]+)'
)


class UnsupportedReadFeatureError(DeltaSourceError):
    """The table has a feature that is needed to read it, and that this Delta Lake does not know.

    Or the versions of its protocol are newer. The condition is Delta's.

    Example:
        >>> from deltasource import UnsupportedReadFeatureError
        >>> UnsupportedReadFeatureError.condition
        'DELTA_UNSUPPORTED_FEATURES_FOR_READ'
    """

    condition = _READ


class UnsupportedWriteFeatureError(DeltaSourceError):
    """The table has a feature that is needed to write it, and that this Delta Lake does not know.

    Or the writer version of its protocol is newer. The condition is Delta's. The table can be read.

    Example:
        >>> from deltasource import UnsupportedWriteFeatureError
        >>> UnsupportedWriteFeatureError.condition
        'DELTA_UNSUPPORTED_FEATURES_FOR_WRITE'
    """

    condition = _WRITE


def unsupported(
    text: str, table: str
) -> UnsupportedReadFeatureError | UnsupportedWriteFeatureError | None:
    """Return the error for a text of Delta's; None if that is about something else."""
    if features := _FEATURES.search(text):
        condition, delta, names = features.groups()
        return _error(
            table, delta, f"does not know its table features: {names}", reads=condition == _READ
        )
    if versions := _VERSIONS.search(text):
        needed, delta, readable = versions.groups()
        reader = needed.split()[2]
        return _error(
            table,
            delta,
            f"does not know its protocol ({needed})",
            reads=reader not in readable.split(", "),
        )
    return None


def _error(
    table: str, delta: str, why: str, *, reads: bool
) -> UnsupportedReadFeatureError | UnsupportedWriteFeatureError:
    kind = UnsupportedReadFeatureError if reads else UnsupportedWriteFeatureError
    return kind(
        f"the table {table} cannot be {'read' if reads else 'written'}: Delta Lake {delta}, which "
        f"is in our jar, {why}. Use a deltasource with a newer Delta Lake, or remove the feature "
        "where the table was written, with ALTER TABLE ... DROP FEATURE"
    )
