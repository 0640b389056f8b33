# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The gaps in a log, and their error.

DeltaSourceError            the base class of all errors of this package
└── MissingCommitError      the log of the table lacks a commit
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from deltasource._errors import DeltaSourceError


class MissingCommitError(DeltaSourceError):
    """The log of the table is damaged: it lacks a commit; the condition is Delta's.

    The oldest commits may be missing without this error if a later checkpoint of the table replaces
    them: Delta deletes them when they expire.

    Example:
        >>> from deltasource import MissingCommitError
        >>> MissingCommitError.condition
        'DELTA_MISSING_FILES_UNEXPECTED_VERSION'
    """

    condition = "DELTA_MISSING_FILES_UNEXPECTED_VERSION"


@dataclass(frozen=True)
class Gap:
    """Missing commits between two that exist."""

    before: int
    after: int

    def __str__(self) -> str:
        """Say which commits are missing, and which are there."""
        first, last = self.before + 1, self.after - 1
        one, many = f"commit of version {first} is", f"commits of versions {first} to {last} are"
        missing = one if first == last else many
        return f"the {missing} missing, but versions {self.before} and {self.after} are there"


def gaps_between(versions: Iterable[int]) -> Sequence[Gap]:
    """Return the gaps between versions, in their order."""
    found = (Gap(before, after) for before, after in pairwise(sorted(versions)))
    return [gap for gap in found if gap.before + 1 < gap.after]
