# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The error of a log with a gap.

DeltaSourceError            the base class of all errors of this package
└── MissingCommitError      the log of the table lacks a commit in the middle
"""

from __future__ import annotations

from deltasource._errors import DeltaSourceError


class MissingCommitError(DeltaSourceError):
    """The log of the table is damaged: it lacks a commit in the middle; the condition is Delta's.

    The oldest commits may be missing without this error: Delta deletes them when they expire.

    Example:
        >>> from deltasource import MissingCommitError
        >>> MissingCommitError.condition
        'DELTA_MISSING_FILES_UNEXPECTED_VERSION'
    """

    condition = "DELTA_MISSING_FILES_UNEXPECTED_VERSION"
