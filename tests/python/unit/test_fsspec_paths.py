# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Checkpoints that are read through fsspec; its file system in memory is the example."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from deltasource import (
    Checkpoint,
    CheckpointError,
    CommitError,
    LogReadError,
    RemotePathError,
    SchemaLogError,
    StartError,
    TableError,
    schema_log,
)
from deltasource._checkpoint import fsspec_calls, fsspec_path
from support.checkpoint_samples import TABLE, checkpoint, offset, put, table, tracked

LOG = f"_schema_log_{TABLE}"
ROOT = "memory://data"
NOW = datetime.fromtimestamp(2000, timezone.utc)


class Breaking(MemoryFileSystem):  # type: ignore[misc] # fsspec has no types
    """A file system whose calls raise or block, as set on the class."""

    protocol = "breaking"
    error: Exception | None = None
    blocked: threading.Event | None = None

    stale: bool = False

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return str(super()._strip_protocol(path.replace("breaking://", "memory://")))

    def invalidate_cache(self, path: str | None = None) -> None:  # noqa: ARG002 - fsspec's
        self.stale = False

    def info(self, path: str, **kwargs: Any) -> Any:
        if self.blocked is not None:
            self.blocked.wait(20)
        if self.error is not None:
            raise self.error
        return super().info(path, **kwargs)

    def ls(self, path: str, detail: bool = True, **kwargs: Any) -> Any:
        if self.error is not None:
            raise self.error
        if self.stale:
            return []
        self.stale = True
        return super().ls(path, detail=detail, **kwargs)


@pytest.fixture(autouse=True)
def memory() -> Iterator[MemoryFileSystem]:
    """Return the file system in memory, empty before and after the test."""
    files = MemoryFileSystem()
    yield files
    files.store.clear()
    files.pseudo_dirs[:] = [""]


@pytest.fixture
def breaking(monkeypatch: pytest.MonkeyPatch) -> type[Breaking]:
    """Return a file system that fsspec knows as `breaking://`."""
    fsspec.register_implementation("breaking", Breaking, clobber=True)
    monkeypatch.setattr(Breaking, "error", None)
    monkeypatch.setattr(Breaking, "blocked", None)
    return Breaking


@pytest.fixture
def local(tmp_path: Path) -> Path:
    """Return a checkpoint with two committed batches, a planned one and a tracked schema."""
    folder = checkpoint(tmp_path / "c d", *map(offset, range(1, 4)), done=[0, 1])
    put(folder / "schemas" / LOG, "0", tracked(0, id="long"))
    table(tmp_path / "t", [1, 2], [10], [100, 200], [5])
    return folder


def upload(memory: MemoryFileSystem, folder: Path) -> None:
    """Copy a folder."""
    memory.put(f"{folder.parent}/", "/data", recursive=True)


def test_a_remote_folder_reads_like_the_local_one(
    memory: MemoryFileSystem, local: Path, tmp_path: Path
) -> None:
    """Batches, schemas and backlog do not depend on how they are read."""
    upload(memory, local)
    here, there = Checkpoint(local), Checkpoint(f"{ROOT}/c d")
    assert there.path == f"{ROOT}/c d"
    assert list(there.batches()) == list(here.batches()) != []
    assert (there.planned(), there.last_committed()) == (here.planned(), here.last_committed())
    assert there.starts() == here.starts()
    assert there.schema_log() == here.schema_log() != []
    assert there.schema_log(f"{ROOT}/c d/schemas") == here.schema_log()
    assert schema_log(f"{ROOT}/c d/schemas/{LOG}") == here.schema_log()
    behind = here.backlog(tmp_path / "t", now=NOW)
    found = there.backlog(f"{ROOT}/t", now=NOW)
    assert (found.versions, found.files, found.bytes) == (behind.versions, behind.files, 305)
    # A path object is always local, and a local checkpoint may have a remote table.
    assert there.backlog(tmp_path / "t", now=NOW) == behind
    assert here.backlog(f"{ROOT}/t", now=NOW) == found


@pytest.mark.usefixtures("breaking")
def test_files_that_a_query_adds_are_found(memory: MemoryFileSystem, local: Path) -> None:
    """Nothing is cached: each call lists the folders again, also if the library keeps listings."""
    upload(memory, local)
    there = Checkpoint("breaking://data/c d")
    assert [batch.id for batch in there.batches()] == [0, 1, 2]
    memory.pipe_file("/data/c d/offsets/3", memory.cat_file("/data/c d/offsets/2"))
    assert [batch.id for batch in there.batches()] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("broken", "kind"),
    [
        ("c d/offsets/1", CheckpointError),
        ("c d/sources/0/start", StartError),
        (f"c d/schemas/{LOG}/0", SchemaLogError),
        (f"t/_delta_log/{3:020}.json", CommitError),
    ],
)
def test_damage_has_the_errors_of_a_local_folder(
    broken: str, kind: type[Exception], memory: MemoryFileSystem, local: Path
) -> None:
    """The error names the URI as the caller has spelled it."""
    upload(memory, local)
    memory.pipe_file(f"/data/{broken}", b"\xff{")
    read = Checkpoint(f"{ROOT}/c d")
    with pytest.raises(kind, match=f"{ROOT}/{broken}"):
        print(list(read.batches()), read.starts(), read.schema_log(), read.backlog(f"{ROOT}/t"))


def test_what_does_not_exist_has_the_errors_of_a_local_folder() -> None:
    """An empty folder is no checkpoint, no schema log and no table."""
    read = Checkpoint(f"{ROOT}/nowhere")
    with pytest.raises(CheckpointError, match=f"{ROOT}/nowhere is not a checkpoint"):
        list(read.batches())
    with pytest.raises(CheckpointError, match=f"{ROOT}/nowhere does not exist"):
        schema_log(f"{ROOT}/nowhere")


def test_a_missing_table_is_reported(memory: MemoryFileSystem, local: Path) -> None:
    """The error names its folder."""
    upload(memory, local)
    with pytest.raises(TableError, match=f"{ROOT}/none is not a Delta table: it does not exist"):
        Checkpoint(f"{ROOT}/c d").backlog(f"{ROOT}/none")


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (PermissionError("Access  Denied.\n"), "Access Denied"),
        (OSError(5, "broken disk"), "broken disk"),
        (RuntimeError("no credentials"), "no credentials"),
        (ValueError("Invalid bucket name"), "Invalid bucket name"),
        (KeyError(), "KeyError"),
        (RuntimeError("x" * 500), f"{'x' * 300}..."),
    ],
)
def test_every_failure_is_a_typed_error_of_one_line(
    error: Exception, text: str, breaking: type[Breaking], local: Path
) -> None:
    """What a library raises is reported in its words, and never as an empty folder."""
    breaking.error = error
    with pytest.raises(CheckpointError) as raised:
        Checkpoint("breaking://b/c").last_committed()
    assert str(raised.value) == (
        f"[DELTASOURCE_UNREADABLE_CHECKPOINT] cannot read breaking://b/c: {text}. Check that it "
        "can be reached and that this process may read it "
        "(see `deltasource explain-error DELTASOURCE_UNREADABLE_CHECKPOINT`)"
    )
    with pytest.raises(LogReadError, match=text):
        Checkpoint(local).backlog("breaking://b/t")


def test_a_store_that_does_not_answer_is_given_up(
    breaking: type[Breaking], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A call ends at the time limit, although the library still waits."""
    breaking.blocked = threading.Event()
    monkeypatch.setattr(fsspec_calls, "TIME_LIMIT", 0.05)
    start = time.monotonic()
    with pytest.raises(CheckpointError, match=r"no answer within 0\.05 s"):
        Checkpoint("breaking://b/c").last_committed()
    assert time.monotonic() - start < 10
    breaking.blocked.set()


def test_a_file_system_that_cannot_be_opened_is_reported(
    breaking: type[Breaking], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A library may refuse a path, or want credentials at once."""

    def refuse(_self: Breaking, **_: object) -> None:
        raise ValueError("no account")

    monkeypatch.setattr(breaking, "__init__", refuse)
    with pytest.raises(RemotePathError, match=r"cannot open breaking://b with fsspec: no account"):
        Checkpoint("breaking://b")


def test_paths_are_joined_as_they_were_given(memory: MemoryFileSystem) -> None:
    """A name is not encoded, and a slash at the end changes nothing."""
    memory.pipe_file("/data/a b%20c/x#1", b"7")
    folder = fsspec_path.resolve(f"{ROOT}/a b%20c/")
    assert folder is not None
    assert [(str(child), child.name) for child in folder.iterdir()] == [
        (f"{ROOT}/a b%20c/x#1", "x#1")
    ]
    file = folder / "x#1"
    assert (file.read_text("utf-8"), file.exists(), file.is_dir()) == ("7", True, False)
    assert (folder.is_dir(), (folder / "y").exists(), list(file.iterdir())) == (True, False, [])
    assert abs(file.stat().st_mtime - time.time()) < 60
