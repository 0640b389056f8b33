# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The errors for damaged files that Delta reads to open a table: Spark's are of many classes."""

from __future__ import annotations

import re
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from deltasource._errors import CommitError, SchemaLogError

_COMMIT: Final = re.compile(
    rf"\[{CommitError.condition}\] (.*?)\s*\(see `deltasource explain-error "
    rf"{CommitError.condition}`\)",
    re.DOTALL,
)
_JSON: Final = "com.fasterxml.jackson."


@contextmanager
def named_if_damaged(schemas: str | None) -> Generator[None, None, None]:
    """Raise CommitError for a damaged commit, and SchemaLogError for a damaged log of schemas.

    Args:
        schemas: Where the stream records its schemas; None if it does not.
    """
    try:
        yield
    # Py4J's error in a classic session, Spark's in a Connect session.
    except Exception as error:
        text = str(error)
        if commit := _COMMIT.search(text):
            raise CommitError(commit[1]) from None  # The Java stack says nothing else.
        if schemas is None or _JSON not in text:
            raise
        raise SchemaLogError(
            f"an entry of the log of schemas in {schemas} is damaged. Find it with "
            f"`python -m deltasource schema-log {schemas}`, and restore it from a copy"
        ) from None
