# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What was measured at the end of one round."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One measurement.

    Attributes:
        hours: Since the start of the soak.
        minutes: Since the last sample.
        life: How many drivers were killed before this one.
        uses: What the driver uses, by the names of `soak.flatness.RULES`. There are no `requests`
            if no stream on S3 has run a batch.
        requests: Requests to the store since the last sample, by their kind.
        backlog: Commits that each stream has not read yet, as its last batch knew them.
    """

    hours: float
    minutes: float
    life: int
    uses: Mapping[str, float]
    requests: Mapping[str, int]
    backlog: Mapping[str, int]
