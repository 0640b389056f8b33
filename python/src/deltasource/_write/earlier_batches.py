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
from deltasource._text import is_path
from deltasource._types import SessionLike

NEW_CHECKPOINT: Final = (
    "must be new for a new target: the batches up to {batch} have been written, but {target} does "
    "not exist, and a new table would lack them. Use a new checkpoint, or restore the table"
)
OTHER_TARGET: Final = (
    "must be that of a query which has written to this target: the batches up to {batch} have been "
    "written, but {target} has none of them, so it was created again, is a copy, or is the target "
    "of another query. Use a new checkpoint, or the target of this one. If the table should not "
    f"have these batches, or has their rows from a copy, set {FAIL_ON_OTHER_TARGET}=false for the "
    "next run"
)

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
        missing = _are_missing(spark, os.fspath(target), query_id)
        yield "checkpoint", os.fspath(checkpoint), not missing, OTHER_TARGET.format(**done)


def _exists(spark: SessionLike, target: str | os.PathLike[str]) -> bool:
    if not is_path(target):
        return load_if_exists(spark, target) is not None
    try:
        return (resolve_path(target, spark) / _LOG).exists()
    except OSError:
        return True


def _are_missing(spark: Any, target: str, query_id: str) -> bool:
    """Whether the sink would refuse the next batch, because the target has none of the query.

    False if only a Spark job could tell, or if the record may have been dropped.
    """
    session = jvm.classic_session(spark)
    if session is None or spark.conf.get(FAIL_ON_OTHER_TARGET, "true").lower() != "true":
        return False
    snapshot = session.delta_log(target).unsafeVolatileSnapshot()
    known = snapshot.setTransactionsIfKnown()
    if known.isEmpty() or snapshot.metadata().configuration().contains(_RETENTION):
        return False
    return all(one.appId() != query_id for one in jvm.elements(known.get()))
