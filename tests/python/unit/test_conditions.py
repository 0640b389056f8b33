# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The error conditions that metrics tell apart."""

from __future__ import annotations

import re

from deltasource._monitor.conditions import CONDITIONS, condition_label
from docs.errors import ERRORS


def test_every_documented_condition_of_a_stream_is_told_apart() -> None:
    """What a stream of ours fails with is never counted as "other"."""
    documented = {name.strip("`") for name in ERRORS}
    assert documented
    assert documented <= CONDITIONS


def test_conditions_are_names() -> None:
    """Each is in capitals, without a subclass, and is its own label."""
    assert all(re.fullmatch(r"[A-Z0-9]+(_[A-Z0-9]+)*", one) for one in CONDITIONS)
    assert all(condition_label(one) == one for one in CONDITIONS)
    assert len(CONDITIONS) < 100
