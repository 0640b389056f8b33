# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What nobody should hand in or leave on a disk, and what must come of it all the same."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from hypothesis import strategies as st

from deltasource import DeltaSourceError

SCHEMA: Final = '{"type":"struct","fields":[]}'

# Every character that JSON can carry, the halves of a pair and NUL among them.
TEXT = st.text(st.characters(exclude_categories=[]), max_size=8)
NUMBERS = st.integers() | st.floats() | st.sampled_from([2**63, -(2**63), 10**400, 1e308])
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
NESTED = st.sampled_from(["[" * 100_000, '{"a":' * 100_000, "[" * 500 + "]" * 500, "9" * 5000])


def named(action: Callable[..., object], *given_it: Any) -> None:
    """See that something ends within a second of work, with an answer or with an error of ours."""
    began = time.process_time()
    with suppress(DeltaSourceError):
        action(*given_it)
    assert time.process_time() - began < 1
