# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Which values of our session confs `configure` refuses."""

from __future__ import annotations

import pytest

from deltasource._session import own_confs

VALUES: dict[str, tuple[list[str], list[str]]] = {
    "log.listInterval": (["10", "10s", " 5MIN ", "0"], ["ten", "1.5s", "-1s", "10 s", ""]),
    "log.prefetchBytes": (["1", "64m", "1GB"], ["64 mb", "-1", "1.5g", "m"]),
    "log.prefetchCommits": (["0", "1000", "${spark.x}"], ["-1", "1k", "1.5", "3000000000"]),
    "snapshot.maxFilesOnDriver": (["3000000000"], ["-1", "many", "9223372036854775808"]),
    "log.reuse": (["true", "False"], ["1", "yes", ""]),
}
"""For a conf of each kind, what Spark accepts and what it refuses."""


@pytest.mark.parametrize("name", VALUES)
def test_an_invalid_value_of_a_conf_of_ours_is_refused(name: str) -> None:
    """Spark would refuse it when a query starts, with an error about a number format."""
    valid, invalid = VALUES[name]
    for value in valid:
        assert own_confs.mistakes({f"spark.deltasource.{name}": value}) == {}
    for value in invalid:
        [(conf, mistake)] = own_confs.mistakes({f"spark.deltasource.{name}": value}).items()
        assert (conf, mistake[:8]) == (f"spark.deltasource.{name}", "must be ")
