# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Errors of Spark that we expect: PySpark logs an error of a SQL text when it makes its exception.

The log goes to stderr with the stack of the JVM, even if the exception is caught.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

_LOGGERS: Final = ("SQLQueryContextLogger", "DataFrameQueryContextLogger")


@contextmanager
def not_logged() -> Generator[None, None, None]:
    """Keep PySpark from logging the errors of this thread, which the caller catches."""
    from pyspark.logger import PySparkLogger

    thread = threading.get_ident()

    def is_of_other(record: logging.LogRecord) -> bool:
        return record.thread != thread

    # A logger of another class with this name would break PySpark.
    loggers = [PySparkLogger.getLogger(name) for name in _LOGGERS]
    for logger in loggers:
        logger.addFilter(is_of_other)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(is_of_other)
