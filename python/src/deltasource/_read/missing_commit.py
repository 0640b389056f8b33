# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The error for a table whose log has a gap: Delta's own is a Java exception without the path."""

from __future__ import annotations

import os
import re
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from typing import Final

from deltasource._log_gaps import MissingCommitError, gaps_between

_GAP: Final = re.compile(r"\[DELTA_VERSIONS_NOT_CONTIGUOUS\] Versions \(([\d, ]*)\)")


@contextmanager
def named_if_commit_is_missing(path: str | os.PathLike[str]) -> Generator[None, None, None]:
    """Raise MissingCommitError, with the path, if Delta cannot open a table because of a gap."""
    try:
        yield
    # Py4J's error in a classic session, Spark's in a Connect session.
    except Exception as error:
        gap = _GAP.search(str(error))
        if gap is None:
            raise
        versions = [int(version) for version in gap[1].split(",") if version.strip()]
        raise MissingCommitError(
            f"the table {os.fspath(path)} cannot be opened, whatever `fail_on_data_loss` says: "
            f"{_missing(versions)}. Restore it from a copy (see how-to/recover-missing-commits)"
        ) from error


def _missing(versions: Iterable[int]) -> str:
    for gap in gaps_between(versions):
        name = f"{gap.before + 1:020}.json"
        return f"its log has versions {gap.before} and {gap.after}, and no {name} between them"
    return "its log has a gap"
