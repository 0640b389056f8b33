# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The two sides, alive for the whole test run, and what each script gave on them."""

from collections.abc import Iterator

import pytest

from parity.stage import Stage, live


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    stage = live(tmp_path_factory.mktemp("parity"))
    try:
        yield stage
    finally:
        stage.close()
