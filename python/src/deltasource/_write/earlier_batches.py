# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Whether a target has the batches that a query has written before: Delta records them.

DeltaSourceError            the base class of all errors of this package
└── OtherTargetError        the target lacks batches that the query has written
"""

from __future__ import annotations

import os
from typing import Any, Final

from deltasource._checkpoint.paths import resolve_path
from deltasource._errors import DeltaSourceError
from deltasource._read.stream import load_if_exists
from deltasource._session import jvm
from deltasource._session.own_confs import FAIL_ON_OTHER_TARGET
from deltasource._session.scala_collections import elements
from deltasource._text import is_path
from deltasource._types import SessionLike

LOST_TARGET: Final = (
    "the query of the checkpoint {checkpoint} has written its batches up to {batch}, but {target} "
    "does not exist, and a new table would lack them. Restore the table, or use a new checkpoint"
)
OTHER_TARGET: Final = (
    "the query of the checkpoint {checkpoint} has written its batches up to {batch}, but {target} "
    "has {found}. It was created again, is an older copy, or is the target of another query. Use "
    "the target of this checkpoint, or a new checkpoint and a new or emptied target. If the table "
    "should not have the missing batches, or has their rows from a copy, set "
    f"{FAIL_ON_OTHER_TARGET}=false for the next run"
)

NONE: Final = -1
"""The latest batch of a query in a table that has none."""

_LOG: Final = "_delta_log"
_RETENTION: Final = "delta.setTransactionRetentionDuration"


class OtherTargetError(DeltaSourceError):
    """The target lacks batches that the query has written; the jar uses the same condition."""

    condition = "DELTASOURCE_OTHER_TARGET"


def require_batches(
    spark: SessionLike,
    checkpoint: str | os.PathLike[str],
    target: str | os.PathLike[str],
    *,
    query_id: str | None,
    latest: int,
    replaces_table: bool,
) -> None:
    """Raise OtherTargetError if a target lacks the committed batches of a checkpoint.

    Args:
        spark: A classic session, which has opened the target, if it exists.
        checkpoint: The checkpoint.
        target: The target.
        query_id: The id of the query; None if it is not known.
        latest: The latest committed batch.
        replaces_table: Whether each batch replaces all rows of the target.
    """
    paths = {"checkpoint": os.fspath(checkpoint), "target": os.fspath(target)}
    if not _exists(spark, target):
        raise OtherTargetError(LOST_TARGET.format(batch=latest, **paths))
    if not is_path(target) or query_id is None or replaces_table:
        return
    found = _latest(spark, os.fspath(target), query_id)
    if found is not None and found < latest:
        has = "none of them" if found == NONE else f"them only up to {found}"
        raise OtherTargetError(OTHER_TARGET.format(batch=latest, found=has, **paths))


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
