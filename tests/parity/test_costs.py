# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What planning a batch costs does not grow with the versions in it, but for opening each once."""

from collections.abc import Iterator

import pytest

from parity.costs import cost, counting
from parity.planning.cost import KINDS, Cost
from parity.side import Side
from parity.stage import OURS


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Side]:
    with counting(OURS, tmp_path_factory.mktemp("costs")) as side:
        yield side


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("versions", "listings"), [(1, 0), (100, 1)])
def test_a_batch_is_one_scan_and_opens_each_version_once(
    ours: Side, kind: str, versions: int, listings: int
) -> None:
    """No job, and one listing once many commits wait; one commit is found by its name."""
    expected = Cost(scans=1, jobs=0, listings=listings, opened=versions)
    assert cost(ours, kind, versions) == expected
