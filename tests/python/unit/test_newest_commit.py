# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The end of a target's newest commit, which Delta may not read before it writes the next one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

import pytest

from deltasource import CommitError
from deltasource._checkpoint.commit import EmptyCommitError
from deltasource._session.checksum_error import ChecksumError
from deltasource._write.newest_commit import require_whole

FILE = "t/_delta_log/00000000000000000007.json"
LONG = b'{"commitInfo":{"operation":"' + b"x" * 100_000 + b'"}}'


@dataclass(frozen=True)
class Stored:
    """A file, or the error that its file system raises."""

    content: bytes | OSError
    path: str = "t"

    def __truediv__(self, child: str) -> Stored:
        return Stored(self.content, f"{self.path}/{child}")

    def __str__(self) -> str:
        return self.path

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    def read_end(self, length: int) -> bytes:
        if isinstance(self.content, OSError):
            raise self.content
        return self.content[-length:]


def check(content: bytes | OSError) -> None:
    require_whole(cast(Any, Stored(content)), 7)


@pytest.mark.parametrize(
    "content",
    [
        b'{"commitInfo":{}}\n{"add":{}}\n',
        b'{"commitInfo":{}}',
        LONG,
        b'{"commitInfo":{}}\n' + LONG + b"\n",
        FileNotFoundError("gone"),
        PermissionError("denied"),
    ],
)
def test_a_whole_commit_is_accepted(content: bytes | OSError) -> None:
    """As is one that is only in a checkpoint, or that cannot be read now, which the query says."""
    check(content)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b'{"commitInfo":{}}\n{"add":{"pa', "its last line is truncated or not JSON: '{\"add"),
        (b"{bad", "not JSON: '{bad'"),
        (b"[]", "not JSON"),
        (b"\xff", "not JSON"),
        (LONG[:-1] + b"x", "not JSON"),
        (LONG + b"\n" + LONG[:-2], "not JSON"),
        (ChecksumError("differs"), "it does not match its checksum, .00000000000000000007.json.c"),
    ],
)
def test_a_damaged_end_is_named(content: bytes | OSError, why: str) -> None:
    """A writer that fails, or a copy that is not complete, leaves a line that is not whole."""
    with pytest.raises(CommitError) as error:
        check(content)
    assert why in str(error.value)
    assert f"Restore {FILE} from a copy" in str(error.value)


@pytest.mark.parametrize("content", [b"", b"\n \n"])
def test_a_commit_without_actions_is_named(content: bytes) -> None:
    """Delta reads it as a version that changes nothing."""
    with pytest.raises(EmptyCommitError, match=f"Restore {FILE} from a copy"):
        check(content)
