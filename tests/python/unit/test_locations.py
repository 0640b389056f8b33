# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The folders of a query: a checkpoint that VACUUM would delete, a stream that reads its target."""

from __future__ import annotations

from pathlib import Path

import pytest

from deltasource import OptionsError
from deltasource._options.validation import validate
from deltasource._write.locations import is_swept, rules, same_table
from deltasource._write.table_location import TableLocation
from support.fake_writers import written


@pytest.mark.parametrize(
    ("folder", "table"),
    [
        ("./t", "./t"),
        ("t/ck", "./t"),
        ("./t/a/../ck/", "t/"),
        ("file:/x/t/ck", "/x/t"),
        ("file:///x/t/ck", "file:/x//t"),
        ("/x/t/_delta_log/ck", "/x/t"),
        ("/x/t/_change_data", "/x/t"),
        ("s3a://b/t/ck", "s3://b/t"),
        ("abfss://c@a/t", "abfss://c@a/t/"),
    ],
)
def test_vacuum_deletes_a_checkpoint_in_the_table(folder: str, table: str) -> None:
    """Paths are compared as the folders that they name, relative or not, as URIs or not."""
    assert is_swept(folder, table)


@pytest.mark.parametrize(
    ("folder", "table"),
    [
        ("./t2", "./t"),
        (".", "./t"),
        ("./t/_checkpoint", "./t"),
        ("./t/.checkpoint/a", "./t"),
        ("./t/checkpoints/_a", "./t"),
        ("s3a://b/t/_ck", "s3a://b/t"),
        ("s3a://b/t", "s3a://c/t"),
        ("s3a://b/t", "gs://b/t"),
        ("/b/t", "s3a://b/t"),
    ],
)
def test_vacuum_leaves_other_folders_alone(folder: str, table: str) -> None:
    """It does not enter a folder whose name begins with _ or a dot."""
    assert not is_swept(folder, table)


def test_a_link_into_the_table_is_followed(tmp_path: Path) -> None:
    """The files are where they are."""
    (tmp_path / "t" / "ck").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "t" / "ck")
    assert is_swept(str(tmp_path / "link"), f"file:{tmp_path}/t")


def test_the_checkpoint_is_refused_before_the_query_starts() -> None:
    """Otherwise VACUUM deletes it, and the next start writes all rows again."""
    with pytest.raises(OptionsError) as error:
        written("./copy", checkpoint="./copy/checkpoint")
    assert (
        "checkpoint must not be in the table ./copy, because VACUUM deletes it there: choose a "
        'folder outside the table, or one in it whose name begins with "_" or ".", got '
    ) in str(error.value)
    assert written("./copy", checkpoint="./copy/_checkpoint")["start"] == "./copy"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    """Nor has it any: Spark would fail with a Java stack, for the table only when it is written."""
    file = tmp_path / "afile"
    file.touch()
    with pytest.raises(OptionsError) as error:
        written(file / "in" / "it", checkpoint=f"file:{file}")
    reasons = {one.option: one.reason for one in error.value.problems[:2]}
    assert reasons == dict.fromkeys(
        ("path_or_table", "checkpoint"), f"must be a folder, and {file} is a file"
    )


def test_a_stream_does_not_write_what_it_reads() -> None:
    """Both mistakes are reported together; the folder of a new table is not known."""
    with pytest.raises(OptionsError) as error:
        validate(*rules("/t/ck", "/t", ["/s", "file:/t"]))
    assert [one.option for one in error.value.problems] == ["path_or_table", "checkpoint"]
    with pytest.raises(OptionsError, match="must not be in the table /s"):
        validate(*rules("/s/ck", None, ["/s"]))
    validate(*rules("/ck", "/t", ["/s"]))


def test_a_target_in_the_table_that_is_read_is_refused() -> None:
    """VACUUM of the source deletes its files; a hidden folder is left alone."""
    with pytest.raises(OptionsError, match=r"must not be in the table /s, which the stream reads"):
        validate(*rules("/ck", "/s/copy", ["/other", "/s"]))
    validate(*rules("/ck", "/s/_copy", ["/s"]))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (("./t", "./t"), (Path("t"), "t"), True),
        (("./t", "./t"), ("./s", "./s"), False),
        (("shop.orders", "file:/w/orders"), ("/w/orders", "/w/orders"), True),
        (("shop.orders", "file:/w/orders"), ("orders", "file:/w/orders"), True),
        (("shop.orders", None), ("Shop.Orders", None), True),
        (("shop.orders", None), ("./orders", "./orders"), False),
        (("shop.orders", None), ("orders", None), False),
    ],
)
def test_tables_are_compared_by_their_folders(
    one: tuple[str, str | None], other: tuple[str, str | None], same: bool
) -> None:
    """Names whose tables are not known are compared as text."""
    first, second = (TableLocation(str(given), folder) for given, folder in (one, other))
    assert same_table(first, second) is same
    assert same_table(second, first) is same


def test_a_rule_shows_the_name_that_was_given() -> None:
    """The folder of a table with a name is what the catalog says."""
    with pytest.raises(OptionsError, match=r"stream reads: .* got 'crm'"):
        validate(*rules("/ck", "/w/crm", ["/w/crm"], "target", given="crm"))
