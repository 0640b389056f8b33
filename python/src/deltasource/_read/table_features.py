# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The errors for a table with features that Delta Lake does not know: its own is Java's.

DeltaSourceError
├── UnsupportedReadFeatureError     the table has a feature that is needed to read it
└── UnsupportedWriteFeatureError    the table has a feature that is needed to write to it
"""

from __future__ import annotations

import os
import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from deltasource._errors import DeltaSourceError

_READ: Final = "DELTA_UNSUPPORTED_FEATURES_FOR_READ"
_WRITE: Final = "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE"
_UNSUPPORTED: Final = re.compile(
    rf'\[({_READ}|{_WRITE})\] [^\n]*? Delta Lake "([^"]*)": ([^\n]*?)\.'
)


class UnsupportedReadFeatureError(DeltaSourceError):
    """The table has a feature that is needed to read it, and that this Delta Lake does not know.

    The condition is Delta's.

    Example:
        >>> from deltasource import UnsupportedReadFeatureError
        >>> UnsupportedReadFeatureError.condition
        'DELTA_UNSUPPORTED_FEATURES_FOR_READ'
    """

    condition = _READ


class UnsupportedWriteFeatureError(DeltaSourceError):
    """The table has a feature that is needed to write it, and that this Delta Lake does not know.

    The condition is Delta's. The table can be read.

    Example:
        >>> from deltasource import UnsupportedWriteFeatureError
        >>> UnsupportedWriteFeatureError.condition
        'DELTA_UNSUPPORTED_FEATURES_FOR_WRITE'
    """

    condition = _WRITE


@contextmanager
def named_if_unsupported(table: str | os.PathLike[str]) -> Generator[None, None, None]:
    """Raise one of the errors, with the table, if Delta does not know a feature of a table."""
    try:
        yield
    # Py4J's error in a classic session, Spark's in a Connect session.
    except Exception as error:
        found = _UNSUPPORTED.search(str(error))
        if found is None:
            raise
        condition, version, features = found.groups()
        kind, verb = (
            (UnsupportedReadFeatureError, "read")
            if condition == _READ
            else (UnsupportedWriteFeatureError, "written")
        )
        raise kind(
            f"the table {os.fspath(table)} cannot be {verb}: Delta Lake {version}, which is in our "
            f"jar, does not know its table features: {features}. Use a deltasource with a newer "
            "Delta Lake, or remove the feature where the table was written, with ALTER TABLE ... "
            "DROP FEATURE"
        ) from None  # The Java stack says nothing else.
