# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Confs of a session, and how to set them for the time of a block."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

INTERPRETED: Final[Mapping[str, str]] = MappingProxyType(
    {"spark.sql.codegen.factoryMode": "NO_CODEGEN", "spark.sql.codegen.wholeStage": "false"}
)
"""Queries are interpreted: compiling one takes longer than running it on a few rows."""


@contextmanager
def session_confs(spark: SparkSession, confs: Mapping[str, str]) -> Generator[None]:
    """Set the confs, and unset them at the end."""
    for key, value in confs.items():
        spark.conf.set(key, value)
    try:
        yield
    finally:
        for key in confs:
            spark.conf.unset(key)
