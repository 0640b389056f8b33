# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The error for a table whose log lacks a commit: Delta's own is a Java exception."""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Final

from deltasource._log_gaps import MissingCommitError, gaps_between

# Both appear only as Java exceptions; the second has no table, the first only the path of a file.
_TRUNCATED: Final = re.compile(r"\[DELTA_TRUNCATED_TRANSACTION_LOG\] [^\n]*?/(\d{20}\.json):")
_GAP: Final = re.compile(r"\[DELTA_VERSIONS_NOT_CONTIGUOUS\] Versions \(([\d, ]*)\)")


@contextmanager
def named_if_commit_is_missing(path: str | os.PathLike[str]) -> Generator[None, None, None]:
    """Raise MissingCommitError, with the path, if Delta cannot open a table because of its log."""
    try:
        yield
    # Py4J's error in a classic session, Spark's in a Connect session.
    except Exception as error:
        missing = _missing(str(error))
        if missing is None:
            raise
        raise MissingCommitError(
            f"the table {os.fspath(path)} cannot be opened, whatever `fail_on_data_loss` says: "
            f"{missing}. Restore it from a copy"
        ) from None  # The Java stack says nothing else.


def _missing(text: str) -> str | None:
    """Return which file is missing, from the text of Delta's error; None for another error."""
    if truncated := _TRUNCATED.search(text):
        return (
            f"its log has neither {truncated[1]} nor a later checkpoint of the table that replaces "
            "it"
        )
    gap = _GAP.search(text)
    return None if gap is None else _between(map(int, re.findall(r"\d+", gap[1])))


def _between(versions: Iterable[int]) -> str:
    for gap in gaps_between(versions):
        name = f"{gap.before + 1:020}.json"
        return f"its log has versions {gap.before} and {gap.after}, and no {name} between them"
    return "its log has a gap"
