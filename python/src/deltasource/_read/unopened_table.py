# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The errors for a table that Delta cannot open: its own are exceptions of Java, or lack the table.

Delta's own text is looked at, because Spark Connect passes on nothing else.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from typing import Final

from deltasource._errors import CommitError, DeltaSourceError
from deltasource._log_gaps import MissingCommitError, gaps_between
from deltasource._read.table_features import unsupported

# The second has no table, the first only the path of a file.
_TRUNCATED: Final = re.compile(r"\[DELTA_TRUNCATED_TRANSACTION_LOG\] [^\n]*?/(\d{20}\.json):")
_GAP: Final = re.compile(r"\[DELTA_VERSIONS_NOT_CONTIGUOUS\] Versions \(([\d, ]*)\)")
_NOT_FOUND: Final = re.compile(r"\[DELTA_STATE_RECOVER_ERROR\] The (\w+) of your Delta table")
# Delta reads the protocol and the metadata of a table as a tuple.
_INCONSISTENT: Final = re.compile(r"\[EXPRESSION_DECODING_FAILED\] [^\n]*scala\.Tuple")


@contextmanager
def named_if_unopened(table: str | os.PathLike[str]) -> Generator[None, None, None]:
    """Raise an error with the table and what to do, if Delta cannot open a table.

    Raises MissingCommitError, CommitError, UnsupportedReadFeatureError or
    UnsupportedWriteFeatureError; any other error is raised as it is.
    """
    try:
        yield
    # Py4J's error in a classic session, Spark's in a Connect session.
    except Exception as error:
        text = str(error)
        for named in _NAMED:
            found = named(text, os.fspath(table))
            if found is not None:
                raise found from None  # The Java stack says nothing else.
        raise


def _missing(text: str, table: str) -> MissingCommitError | None:
    if truncated := _TRUNCATED.search(text):
        missing = (
            f"its log has neither {truncated[1]} nor a later checkpoint of the table that replaces "
            "it"
        )
    elif gap := _GAP.search(text):
        missing = _between(map(int, re.findall(r"\d+", gap[1])))
    else:
        return None
    return MissingCommitError(
        f"the table {table} cannot be opened, whatever `fail_on_data_loss` says: {missing}. "
        "Restore it from a copy"
    )


def _between(versions: Iterable[int]) -> str:
    for gap in gaps_between(versions):
        name = f"{gap.before + 1:020}.json"
        return f"its log has versions {gap.before} and {gap.after}, and no {name} between them"
    return "its log has a gap"


def _damaged(text: str, table: str) -> CommitError | None:
    if missing := _NOT_FOUND.search(text):
        return CommitError(
            f"the table {table} cannot be opened: no file of its log has its {missing[1]}, so a "
            "commit, usually the first one, is damaged. Restore the log from a copy"
        )
    if _INCONSISTENT.search(text):
        return CommitError(
            f"the table {table} cannot be opened: the latest protocol action in its log is "
            "damaged, because its versions and its table features do not fit together. Restore "
            "that commit from a copy"
        )
    return None


_NAMED: Final[tuple[Callable[[str, str], DeltaSourceError | None], ...]] = (
    _missing,
    _damaged,
    unsupported,
)
