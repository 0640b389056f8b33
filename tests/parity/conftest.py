# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The two sides, each started when it is needed, and what each script gave on them."""

from collections.abc import Iterator

import pytest

from parity.recorded import Recordings
from parity.stage import Stage, live


@pytest.fixture(scope="session")
def recordings() -> Recordings:
    return Recordings()


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory, recordings: Recordings) -> Iterator[Stage]:
    stage = live(tmp_path_factory.mktemp("parity"), recordings.tables())
    try:
        yield stage
    finally:
        stage.close()
