# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Planning a batch costs the same for any number of versions, except for opening each once."""

from collections.abc import Iterator

import pytest

from parity.harness.both_sides import OURS
from parity.harness.worker_process import WorkerProcess
from parity.planning.cost import KINDS, Cost
from parity.planning.cost_comparison import cost, counting


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WorkerProcess]:
    with counting(OURS, tmp_path_factory.mktemp("costs")) as worker:
        yield worker


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("versions", "listings"), [(1, 0), (100, 1)])
def test_a_batch_is_one_scan_and_opens_each_version_once(
    ours: WorkerProcess, kind: str, versions: int, listings: int
) -> None:
    """No job, and one listing if many commits are new; a single commit is opened by name."""
    expected = Cost(scans=1, jobs=0, listings=listings, opened=versions)
    assert cost(ours, kind, versions) == expected
