# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Checks the regular expression of excluded files with Java, whose dialect it is in."""

from __future__ import annotations

from deltasource._errors import OptionsError
from deltasource._invalid_option import InvalidOption
from deltasource._options.validation import REGEX_ALLOWED
from deltasource._session import jvm
from deltasource._text import short_repr
from deltasource._types import SessionLike


def require_java_regex(spark: SessionLike, pattern: str | None) -> None:
    """Raise OptionsError if Java cannot compile a pattern.

    Delta compiles it only when the query runs, and its error does not say what is wrong. A Spark
    Connect server cannot be asked; there, Delta's error ends the query.
    """
    session = jvm.classic_session(spark)
    if session is None or pattern is None:
        return
    try:
        session.compile_regex(pattern)
    except OSError as error:
        mistake = str(error.strerror).split("\n", 1)[0]
        reason = f"{REGEX_ALLOWED}: {mistake}"
        raise OptionsError([InvalidOption("exclude_regex", short_repr(pattern), reason)]) from error
