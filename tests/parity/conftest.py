# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The two sides, each started when first used, and the recordings."""

from collections.abc import Iterator

import pytest

from parity.harness.both_sides import ScriptRunner, script_runner
from parity.harness.recorded import Recordings


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
