# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The random scripts find every planted fault, and none where there is none."""

from collections.abc import Callable
from pathlib import Path

import pytest

from apply_changes import stored_failures
from apply_changes.faults import FAULTS
from apply_changes.memory_engines import FoldEngine, IncrementalEngine
from apply_changes.random_scripts import random_script
from apply_changes.run import Engine, run
from apply_changes.shrink import shrink

SEEDS = range(300)
SCRIPTS = {seed: random_script(seed) for seed in SEEDS}
SMALL = 3
"""How many changes show any of the faults."""


@pytest.mark.parametrize("engine", [FoldEngine, IncrementalEngine])
def test_engines_without_a_fault_agree_with_the_fold(
    engine: Callable[[], Engine], tmp_path: Path
) -> None:
    """No script diverges, and neither does any that is stored."""
    scripts = [*SCRIPTS.values(), *stored_failures.kept().values()]
    assert [str(found) for one in scripts if (found := run(one, engine(), tmp_path))] == []


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_is_found_and_shrunk(fault: type[IncrementalEngine], tmp_path: Path) -> None:
    """One of 300 scripts fails, and what is left of it is small and fails too."""
    failing = next(one for one in SCRIPTS.values() if run(one, fault(), tmp_path))
    small = shrink(failing, lambda script: run(script, fault(), tmp_path) is not None)
    assert run(small, fault(), tmp_path)
    assert len(small.changes) <= SMALL
