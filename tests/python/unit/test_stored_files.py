# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The names of the files that a stream needs, as the log has them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from deltasource import CommitError, LogReadError
from support.checkpoint_samples import add, remove
from support.daily_table import DAY, WEEK, Actions, Backlog


@pytest.fixture
def backlog(tmp_path: Path) -> Backlog:
    """Return a function that writes a table and computes the backlog of a stream."""
    return Backlog(tmp_path)


def test_names_are_decoded(backlog: Backlog) -> None:
    """The log has URIs: a partition value with a space or a percent sign is encoded in them."""
    appends = [add(1, path="p=a%20b%2525c/f%3Aa"), add(1, path="x%3A/b")]
    removal = [remove("p=a%20b%2525c/f%3aa", 2 * DAY), remove("x%3A/b", 2 * DAY)]
    found = backlog(appends, removal, exist=("p=a b%25c/f:a", "x:/b"))
    assert (found.hours_to_data_loss, found.lost_file) == (WEEK - 24, None)
    assert backlog(appends, removal, exist=("x:/b",)).lost_file is not None
    assert backlog(appends, removal, exist=("p=a b%25c/f:a",)).lost_file is not None


@pytest.mark.parametrize("path", ["s3://other/a", "file:/other/a", "/other/a"])
def test_a_file_outside_of_the_table_is_not_looked_for(path: str, backlog: Backlog) -> None:
    """The files of a shallow clone belong to another table."""
    lag = backlog([add(1, path=path)], [remove(path, 2 * DAY)])
    assert (lag.hours_to_data_loss, lag.lost_file) == (WEEK - 24, None)


def vector(kind: str, text: str) -> Mapping[str, Any]:
    """Return the descriptor of a deletion vector."""
    return {"storageType": kind, "pathOrInlineDv": text, "sizeInBytes": 34, "cardinality": 1}


# Written by delta-spark, with the file that it stands for.
ENCODED = "{F]}Dj5FnONs1i+b>&^A"
VECTOR = "deletion_vector_f755daa9-3b51-40ba-997b-ea4124f72a88.bin"


@pytest.mark.parametrize(
    ("old", "file"),
    [
        (vector("u", ENCODED), VECTOR),
        (vector("u", f"ab{ENCODED}"), f"ab/{VECTOR}"),
        (vector("i", "wi5b=000010000siXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L"), None),
        (vector("p", "file:/other/vector.bin"), None),
    ],
)
def test_an_old_deletion_vector_may_be_deleted(
    old: Mapping[str, Any], file: str | None, backlog: Backlog
) -> None:
    """A stream reads the file with the vector that it had in an unread commit."""
    replaced = [
        remove("a", 2 * DAY, vector=old),
        add(1, path="a", vector=vector("u", ENCODED[::-1])),
    ]
    lag = backlog([add(1, path="a", vector=old)], replaced)
    lost = None if file is None else str(backlog.table / file)
    assert lag.lost_file == lost
    if file is not None:
        found = backlog([add(1, path="a", vector=old)], replaced, exist=("a", file))
        assert (found.hours_to_data_loss, found.lost_file) == (WEEK - 24, None)


@pytest.mark.parametrize(
    "action",
    [
        {"remove": {"deletionTimestamp": 5}},
        {"remove": {"path": 5}},
        {"remove": {"path": ["a"]}},
        {"remove": {"path": "a", "deletionTimestamp": "soon"}},
        {"remove": {"path": "a", "deletionVector": 5}},
        {"remove": {"path": "a", "deletionVector": {}}},
        {"remove": {"path": "a", "deletionVector": {"storageType": "u"}}},
        {"remove": {"path": "a", "deletionVector": {"storageType": "u", "pathOrInlineDv": "x"}}},
        {"add": {"path": "a", "size": 1, "dataChange": True, "deletionVector": []}},
    ],
)
def test_a_damaged_removal_is_reported(action: Actions, backlog: Backlog) -> None:
    """It is not treated as one of another file."""
    with pytest.raises(CommitError, match="cannot read the commit of version 2"):
        backlog([add(1, path="a")], [action])


def test_a_file_that_cannot_be_looked_for_is_not_called_lost(backlog: Backlog) -> None:
    """If the file system fails, nothing is known."""
    name = "a" * 300
    with pytest.raises(LogReadError, match=f"cannot read .*{name}"):
        backlog([add(1, path=name)], [remove(name, 2 * DAY)], exist=())


@pytest.mark.parametrize("name", ["a%00", "\ud800", "a/b"])
def test_a_name_that_no_file_has_is_gone(name: str, backlog: Backlog) -> None:
    """Such a name is not in a log that Delta wrote."""
    assert backlog([add(1, path=name)], [remove(name, 2 * DAY)]).lost_file is not None
