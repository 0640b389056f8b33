# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Whether a target has the batches that a query has written before: Delta records them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Final

from deltasource._checkpoint.paths import resolve_path
from deltasource._options.validation import Rule
from deltasource._read.stream import load_if_exists
from deltasource._session import jvm
from deltasource._session.own_confs import FAIL_ON_OTHER_TARGET
from deltasource._session.scala_collections import elements
from deltasource._text import is_path
from deltasource._types import SessionLike

NEW_CHECKPOINT: Final = (
    "must be new for a new target: the batches up to {batch} have been written, but {target} does "
    "not exist, and a new table would lack them. Use a new checkpoint, or restore the table"
)
OTHER_TARGET: Final = (
    "must be that of a query which has written to this target: the batches up to {batch} have been "
    "written, but {target} has {found}. It was created again, is an older copy, or is the target "
    "of another query. Use the target of this checkpoint, or a new checkpoint and a new or emptied "
    "target. If the table should not have the missing batches, or has their rows from a copy, set "
    f"{FAIL_ON_OTHER_TARGET}=false for the next run"
)

NONE: Final = -1
"""The latest batch of a query in a table that has none."""

_LOG: Final = "_delta_log"
_RETENTION: Final = "delta.setTransactionRetentionDuration"


def rules(
    spark: SessionLike,
    checkpoint: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    query_id: str | None,
    latest: int,
    replaces_table: bool,
) -> Iterator[Rule]:
    """Return the rules for the target of a checkpoint with committed batches.

    Args:
        spark: A classic session, which has opened the target, if it exists.
        checkpoint: The checkpoint.
        target: The target.
        query_id: The id of the query; None if it is not known.
        latest: The latest committed batch.
        replaces_table: Whether each batch replaces all rows of the target.
    """
    done = {"batch": latest, "target": os.fspath(target)}
    exists = _exists(spark, target)
    yield "checkpoint", os.fspath(checkpoint), exists, NEW_CHECKPOINT.format(**done)
    if exists and is_path(target) and query_id is not None and not replaces_table:
        found = _latest(spark, os.fspath(target), query_id)
        has = f"them only up to {found}" if found != NONE else "none of them"
        allowed = OTHER_TARGET.format(**done, found=has)
        yield "checkpoint", os.fspath(checkpoint), found is None or found >= latest, allowed


def _exists(spark: SessionLike, target: str | os.PathLike[str]) -> bool:
    if not is_path(target):
        return load_if_exists(spark, target) is not None
    try:
        return (resolve_path(target, spark) / _LOG).exists()
    except OSError:
        return True


def _latest(spark: Any, target: str, query_id: str) -> int | None:
    """Return the latest batch of a query in the target, NONE without one.

    None if that does not matter, if only a Spark job could tell, or if the record may have been
    dropped.
    """
    session = jvm.classic_session(spark)
    if session is None or spark.conf.get(FAIL_ON_OTHER_TARGET, "true").lower() != "true":
        return None
    snapshot = session.delta_log(target).unsafeVolatileSnapshot()
    known = snapshot.setTransactionsIfKnown()
    if known.isEmpty() or snapshot.metadata().configuration().contains(_RETENTION):
        return None
    own = (one.version() for one in elements(known.get()) if one.appId() == query_id)
    return max(own, default=NONE)
