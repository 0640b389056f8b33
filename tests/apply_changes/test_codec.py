# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Scripts as files."""

from pathlib import Path

import pytest

from apply_changes import codec, stored_failures
from apply_changes.combinations import COMBINATIONS
from apply_changes.fold import Kind
from apply_changes.history import After, Batch, Change, Script
from apply_changes.random_scripts import random_script

SMALL = """{
 "batches": [
  {
   "changes": [
    {
     "key": 0,
     "at": 3,
     "kind": "DELETE"
    }
   ],
   "after": "CRASH"
  }
 ]
}
"""


def test_a_file_is_short() -> None:
    """Only what is not at its default is written."""
    script = Script((Batch((Change(0, 3, Kind.DELETE),), After.CRASH),))
    assert codec.written(script) == SMALL
    assert codec.read(SMALL) == script


@pytest.mark.parametrize("seed", range(len(COMBINATIONS)))
def test_scripts_are_read_as_they_were_written(seed: int, tmp_path: Path) -> None:
    """Reading is the inverse of writing, for all settings."""
    script = random_script(seed)
    file = stored_failures.keep(script, tmp_path / "found")
    assert stored_failures.kept(tmp_path / "found") == {file.stem: script}
