# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The two sides, alive for the whole test run, and what each script gave on them.

For trials: `PARITY_STOCK` and `PARITY_OURS` are other folders with jars, and `PARITY_CONFS` is
a JSON object of session confs for both, such as one that turns a shortcut of ours off.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from parity.stage import Stage

ROOT = Path(__file__).resolve().parents[2]
STOCK = Path(os.environ.get("PARITY_STOCK", ROOT / "jvm" / "target" / "stock"))
OURS = Path(os.environ.get("PARITY_OURS", ROOT / "python" / "src" / "deltasource" / "jars"))


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    stage = Stage(jars(STOCK), jars(OURS), tmp_path_factory.mktemp("parity"))
    try:
        yield stage
    finally:
        stage.close()


def jars(folder: Path) -> list[Path]:
    found = sorted(folder.glob("*.jar"))
    if not found:
        pytest.fail(f"no jar in {folder}: run `make jar` first", pytrace=False)
    return found
