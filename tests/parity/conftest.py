# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The two sides, each started when first used, and the recordings."""

from collections.abc import Iterator

import pytest

from parity.harness.both_sides import ScriptRunner, script_runner
from parity.harness.recorded import Recordings
from support.fraction import fraction


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--share",
        type=fraction,
        default=(1, 1),
        metavar="K/N",
        help="every N-th test from the K-th on",
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the share that was asked for; which tests `-k` keeps is decided before."""
    # Unknown to a run that collects this folder later, and then it is for all tests.
    number, count = config.getoption("--share", None) or (1, 1)
    others = [item for place, item in enumerate(items, 1) if (place - number) % count]
    config.hook.pytest_deselected(items=others)
    items[:] = items[number - 1 :: count]


@pytest.fixture(scope="session")
def recordings() -> Recordings:
    return Recordings()


@pytest.fixture(scope="session")
def runner(
    tmp_path_factory: pytest.TempPathFactory, recordings: Recordings
) -> Iterator[ScriptRunner]:
    runner = script_runner(tmp_path_factory.mktemp("parity"), recordings.tables())
    try:
        yield runner
    finally:
        runner.close()
