# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Errors of Spark that we catch: PySpark must not log them with the stack of the JVM."""

from __future__ import annotations

import logging
from threading import Thread

import pytest
from pyspark.logger import PySparkLogger

from deltasource._session.quiet_errors import not_logged

NAMES = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")


@pytest.mark.parametrize("name", NAMES)
def test_expected_errors_are_not_logged(name: str) -> None:
    """Those of other threads are, and those before and after."""
    logger = PySparkLogger.getLogger(name)
    logged: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: logged.append(record.getMessage())  # type: ignore[method-assign]
    logger.addHandler(handler)
    try:
        with not_logged():
            logger.error("ours")
            other = Thread(target=logger.error, args=("of another thread",))
            other.start()
            other.join()
        logger.error("later")
    finally:
        logger.removeHandler(handler)
    assert logged == ["of another thread", "later"]
