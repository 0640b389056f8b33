# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Edited offsets. The first batch ends at file 1 of the three in version 1."""

from parity.catalogue.histories import SMALL
from parity.script import Batches, Drain, Forge, Place, Script, Start, Step, Stop

TWO = {"maxFilesPerTrigger": "2", "startingVersion": "1"}


def forged(forge: Forge) -> tuple[Step, ...]:
    return (
        Start(),
        Batches(1),
        Stop(at=Place.COMMIT, forget=True),
        forge,
        Start(),
        Drain(),
        Stop(),
    )


SCRIPTS = (
    Script(
        name="an offset with an extra field",
        why="fields of later releases are ignored",
        cites="B2",
        history=SMALL,
        options=TWO,
        steps=forged(Forge('false,"later":{"a":[1]}}', old="false}")),
    ),
    Script(
        name="an offset of the third source version",
        why="an offset of a stream with tracking is read, and the next ones have the first version",
        cites="B2",
        history=SMALL,
        options=TWO,
        steps=forged(Forge('"sourceVersion":3', old='"sourceVersion":1')),
    ),
    Script(
        name="an offset of the fourth source version",
        why="a format from the future is refused",
        cites="B6",
        history=SMALL,
        options=TWO,
        steps=forged(Forge('"sourceVersion":4', old='"sourceVersion":1')),
        fails="DELTA_INVALID_FORMAT_FROM_SOURCE_VERSION",
        rows=(0, 1),
    ),
    Script(
        name="an offset of another table",
        why="a checkpoint belongs to one table",
        cites="B6",
        history=SMALL,
        options=TWO,
        steps=forged(Forge('"reservoirId":"00000000-', old='"reservoirId":"')),
        fails="DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE",
        rows=(0, 1),
    ),
    Script(
        name="an offset at the base index of a commit",
        why="in the first source version -1 is the base index",
        cites="B1, B2",
        history=SMALL,
        options=TWO,
        steps=forged(Forge('"index":-1', old='"index":1')),
        rows=(0, 1, *range(6)),
    ),
    Script(
        name="an invalid offset",
        why="an unreadable offset is not treated as a new stream",
        cites="B6",
        history=SMALL,
        options=TWO,
        steps=forged(Forge("half an offset")),
        fails="JsonParseException",
        rows=(0, 1),
        allows="Offset that cannot be read",
    ),
    Script(
        name="an offset beyond the table",
        why="the stream does not wait for a table to catch up with its offset",
        cites="B6",
        history=SMALL,
        options=TWO,
        steps=forged(Forge('"reservoirVersion":9', old='"reservoirVersion":1')),
        fails="DELTA_STREAMING_TRAILING_COMMIT_MISSING",
        rows=(0, 1),
    ),
    Script(
        name="an offset beyond the table, from the snapshot",
        why="without a start option the engine requests no batch before the stream continues",
        cites="B6",
        history=SMALL,
        options={"maxFilesPerTrigger": "2"},
        steps=(
            *(Start(), Batches(1), Stop(at=Place.SNAPSHOT, forget=True)),
            Forge('"index":1,"isStartingVersion":false', old='"index":1,"isStartingVersion":true'),
            *(Forge('"reservoirVersion":9', old='"reservoirVersion":2'), Start(), Drain(), Stop()),
        ),
        fails="IllegalStateException",
        rows=(0, 1),
        allows="Offset beyond the newest version",
    ),
)
