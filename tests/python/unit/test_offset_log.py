# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The offset log in both of its formats, intact and damaged."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltasource import Checkpoint, CheckpointError, NewerOffsetError, Offset
from deltasource._checkpoint import offset_log
from deltasource._checkpoint.offset import BEGIN
from support.checkpoint_samples import METADATA, OTHER, TABLE, checkpoint, offset, put


def test_sources_by_position_keep_their_position(tmp_path: Path) -> None:
    """In v1 the key is the position; a source without an offset is left out, not shifted."""
    lines = ["-", offset(2, table=OTHER), "5", '{"topic":{"0":23}}']
    (batch,) = Checkpoint(checkpoint(tmp_path, lines)).batches()
    assert batch.sources == {
        "1": Offset(2, BEGIN, table_id=OTHER),
        "2": "5",
        "3": '{"topic":{"0":23}}',
    }


def test_sources_by_name_keep_their_name(tmp_path: Path) -> None:
    """In v2 the key is the name, which ends at the first colon."""
    lines = [f"orders:{offset(7, 3)}", "clicks:-", 'events:{"topic":{"0":23}}']
    (batch,) = Checkpoint(checkpoint(tmp_path, lines, form="v2")).batches()
    assert batch.sources == {
        "orders": Offset(7, 3, table_id=TABLE),
        "events": '{"topic":{"0":23}}',
    }


def test_a_batch_without_its_metadata_line_is_read(tmp_path: Path) -> None:
    """The second line may be empty, and the last one may end with a newline."""
    folder = checkpoint(tmp_path)
    put(folder / "offsets", "0", f"v1\n\n{offset(1)}\n")
    (batch,) = Checkpoint(folder).batches()
    assert (batch.planned_at, list(batch.sources)) == (None, ["0"])


WHOLE = f"v1\n{METADATA}\n{offset(1)}"
BY_NAME = f"v2\n{METADATA}\norders:{offset(1)}"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "its first line must be v1 or v2, got ''"),
        ("v1", "ends at line 1"),
        (f"v1\n{METADATA}", "ends at line 2"),
        (f"v1\n{METADATA}\n", "ends at line 2"),
        (f"v1\n{METADATA}\n\n-", "empty"),
        (f"v1\n{METADATA[:-9]}\n-", "truncated or not JSON"),
        (f"v1\n5\n{offset(1)}", "not a JSON object"),
        ('v1\n{"batchTimestampMs":"x"}\n-', "batchTimestampMs must be a time"),
        ('v1\n{"batchTimestampMs":999999999999999999}\n-', "batchTimestampMs must be a time"),
        (WHOLE[:-1], "truncated or not JSON"),
        (WHOLE[:-40], "truncated or not JSON"),
        (WHOLE.replace('"index":-1', '"index":-7'), "got -7"),
        (WHOLE.replace('"index":-1,', ""), "has no index"),
        (WHOLE.replace("v1\n", "v0\n"), "its first line"),
        (WHOLE.replace("v1\n", "1\n"), "its first line"),
        (WHOLE.replace("v1\n", "v3\n"), "must be v1 or v2, got v3"),
        (BY_NAME[:-1], "truncated or not JSON"),
        (f"v2\n{METADATA}\norders", "has no source name"),
    ],
)
def test_a_damaged_file_is_reported_with_the_fix(text: str, why: str, tmp_path: Path) -> None:
    """A truncated or malformed file raises an error that names it and says what to do."""
    folder = checkpoint(tmp_path, offset(0), done=[0])
    file = put(folder / "offsets", "1", text)
    with pytest.raises(CheckpointError, match=why) as error:
        list(Checkpoint(folder).batches())
    assert error.value.condition == "DELTASOURCE_UNREADABLE_CHECKPOINT"
    assert str(file) in str(error.value)
    assert "copy" in str(error.value) or "newer" in str(error.value)
    done = Checkpoint(folder).last_committed()
    assert done is not None, "what comes before it can still be read"


@pytest.mark.parametrize("cut", range(1, len(WHOLE)))
def test_every_truncation_is_detected(cut: int, tmp_path: Path) -> None:
    """A file with one Delta source is refused wherever it is cut."""
    file = put(tmp_path, "0", WHOLE[:cut])
    with pytest.raises(CheckpointError):
        offset_log.read(file)


def test_invalid_utf8_is_refused(tmp_path: Path) -> None:
    """A file that is not UTF-8 is damaged, not a Python error."""
    put(tmp_path / "offsets", "0", "").write_bytes(b"v1\n\xff")
    with pytest.raises(CheckpointError, match="utf-8"):
        next(Checkpoint(tmp_path).batches())


def test_an_offset_of_a_newer_format_names_its_file(tmp_path: Path) -> None:
    """A newer format is not reported as damage."""
    newer = offset(1).replace('"sourceVersion":1', '"sourceVersion":4')
    with pytest.raises(
        NewerOffsetError, match=r"offsets/0, sourceVersion must be at most 3, got 4"
    ):
        list(Checkpoint(checkpoint(tmp_path, newer)).batches())


PLACES = st.integers(0, 2**40) | st.sampled_from([-1, -20, -19])
NAMES = st.text(st.characters(categories=["Ll", "Nd"], max_codepoint=127), min_size=1)
RAW = st.sampled_from(["5", "-", '{"a":{"0":1}}', "a:b"])


@given(st.dictionaries(NAMES, st.builds(offset, st.integers(0, 2**40), PLACES) | RAW, min_size=1))
def test_both_formats_are_equivalent(
    tmp_path_factory: pytest.TempPathFactory, sources: dict[str, str]
) -> None:
    """The same offsets, by position or by name, are read as the same values."""
    lines = [f"{name}:{text}" for name, text in sources.items()]
    folder = tmp_path_factory.mktemp("forms")
    (named,) = Checkpoint(checkpoint(folder / "2", lines, form="v2")).batches()
    (placed,) = Checkpoint(checkpoint(folder / "1", sources.values())).batches()
    keys = list(sources)
    assert {
        keys[int(position)]: value for position, value in placed.sources.items()
    } == named.sources
    assert {name: str_of(value) for name, value in named.sources.items()} == {
        name: text for name, text in sources.items() if text != "-"
    }


def str_of(value: Offset | str) -> str:
    return value.to_json() if isinstance(value, Offset) else value
