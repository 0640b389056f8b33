# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Refuses a checkpoint whose batches were applied to a target that does not exist any more."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from deltasource._checkpoint.paths import numbered_files, os_errors_as, resolve_path
from deltasource._errors import CheckpointError
from deltasource._options.validation import Rule
from deltasource._read.stream import load_if_exists
from deltasource._session import jvm
from deltasource._types import SessionLike

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NEW_CHECKPOINT: Final = (
    "must be new for a new target: the batches up to {batch} have been applied, but {target} does "
    "not exist, and a new table would lack them. Use a new checkpoint, or restore the table"
)


def rules(
    changes: DataFrame, checkpoint: str | os.PathLike[str], target: str | os.PathLike[str]
) -> Iterator[Rule]:
    """Return the rule of a checkpoint whose target is lost. Spark Connect cannot read it."""
    spark: SessionLike = changes.sparkSession
    if jvm.classic_session(spark) is None:
        return
    folder = resolve_path(checkpoint, spark)
    with os_errors_as(CheckpointError, folder):
        batches = numbered_files(folder / "commits")
    if batches and load_if_exists(spark, target) is None:
        allowed = NEW_CHECKPOINT.format(batch=max(batches), target=os.fspath(target))
        yield "checkpoint", os.fspath(checkpoint), False, allowed
