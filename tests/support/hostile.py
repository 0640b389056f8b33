# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Malformed values for the fuzz tests, and the outcome that each must have."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from hypothesis import strategies as st

from deltasource import DeltaSourceError

SCHEMA: Final = '{"type":"struct","fields":[]}'

# Every character that JSON can carry, including lone surrogates and NUL.
TEXT = st.text(st.characters(exclude_categories=[]), max_size=8)
NUMBERS = st.integers() | st.floats() | st.sampled_from([2**63, -(2**63), 10**400, 1e308])
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
NESTED = st.sampled_from(["[" * 100_000, '{"a":' * 100_000, "[" * 500 + "]" * 500, "9" * 5000])


def assert_only_our_errors(action: Callable[..., object], *given_it: Any) -> None:
    """Check that a call returns or raises one of our errors, within a second of CPU time."""
    began = time.process_time()
    with suppress(DeltaSourceError):
        action(*given_it)
    assert time.process_time() - began < 1
