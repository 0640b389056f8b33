# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The session confs of our source and sink, and the check of their names: Spark accepts any."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

PREFIX: Final = "spark.deltasource."
FAIL_ON_OTHER_TARGET: Final = f"{PREFIX}sink.failOnOtherTarget"
KNOWN: Final = (
    f"{PREFIX}log.listInterval",
    f"{PREFIX}log.maxIdleDelay",
    f"{PREFIX}log.maxInMemoryCommitBytes",
    f"{PREFIX}log.prefetchBytes",
    f"{PREFIX}log.prefetchCommits",
    f"{PREFIX}log.reuse",
    f"{PREFIX}plan.reuse",
    f"{PREFIX}sink.asyncPostCommitHooks",
    f"{PREFIX}sink.failOnOtherRun",
    FAIL_ON_OTHER_TARGET,
    f"{PREFIX}snapshot.maxFilesOnDriver",
)


def unknown(given: Iterable[str]) -> dict[str, str | None]:
    """Return the names with our prefix that are no conf, each with the nearest conf, if any."""
    others = sorted(name for name in given if name.startswith(PREFIX) and name not in KNOWN)
    return {name: _nearest(name.removeprefix(PREFIX)) for name in others}


def _nearest(name: str) -> str | None:
    # All have the prefix, which would make any two of them similar.
    known = [one.removeprefix(PREFIX) for one in KNOWN]
    return next((f"{PREFIX}{one}" for one in get_close_matches(name, known, n=1)), None)


def suggestion(near: str | None) -> str:
    """Say what an unknown conf may be."""
    if near is None:
        return f"is none of {', '.join(KNOWN)}"
    return f"is not a conf; did you mean {near}?"
