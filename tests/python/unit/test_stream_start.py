# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The starts of streams, read from the files that our source writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deltasource import Checkpoint, Offset, StartError, StreamStart
from deltasource._checkpoint.offset import BEGIN
from support.checkpoint_samples import TABLE, checkpoint, offset, put


def test_starts_are_read_from_the_checkpoint(tmp_path: Path) -> None:
    """Our source stores where a stream began, and the planned end of its first batch."""
    sources = checkpoint(tmp_path, offset(2)) / "sources"
    end = offset(2).replace('"', '\\"')
    put(
        sources / "0",
        "start",
        f'{{"tableId":"{TABLE}","startOption":"Latest","version":1,"inSnapshot":false,'
        f'"firstEnd":"{end}"}}',
    )
    put(sources / "1", "start", '{"tableId":"t","startOption":"A","version":0,"inSnapshot":true}')
    (sources / "2").mkdir()
    assert Checkpoint(tmp_path).starts() == {
        "0": StreamStart("Latest", Offset(1, BEGIN, table_id=TABLE), Offset.parse(offset(2))),
        "1": StreamStart("A", Offset(0, BEGIN, is_initial_snapshot=True, table_id="t"), None),
    }


GOOD = {"tableId": "t", "startOption": "A", "version": 0, "inSnapshot": False}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        *(json.dumps({**GOOD, name: []}) for name in (*GOOD, "firstEnd")),
        *(json.dumps({**GOOD, name: None}) for name in GOOD),
        json.dumps({**GOOD, "version": -1}),
        json.dumps({**GOOD, "firstEnd": "{"}),
    ],
)
def test_a_damaged_start_is_reported_with_the_fix(text: str, tmp_path: Path) -> None:
    """An unreadable start is not ignored."""
    file = put(checkpoint(tmp_path) / "sources" / "0", "start", text)
    with pytest.raises(StartError, match="or delete it") as error:
        Checkpoint(tmp_path).starts()
    assert str(file) in str(error.value)
