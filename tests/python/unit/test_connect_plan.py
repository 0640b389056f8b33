# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The tables that a stream of Spark Connect reads, with plans as the client builds them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from pyspark.sql.connect.proto.base_pb2 import Plan
from pyspark.sql.connect.proto.relations_pb2 import Relation

from deltasource._session.connect_plan import streamed_tables


def frame(root: Relation) -> Any:
    """Return a frame of Connect with a plan."""

    def to_proto(_client: object) -> Plan:
        return Plan(root=root)

    plan = SimpleNamespace(to_proto=to_proto)
    return SimpleNamespace(_plan=plan, _session=SimpleNamespace(client=None))


def path(text: str, *, kind: str = "delta", streaming: bool = True) -> Relation:
    """Return the reading of a path."""
    relation = Relation()
    relation.read.is_streaming = streaming
    relation.read.data_source.format = kind
    relation.read.data_source.paths.append(text)
    return relation


def name(text: str) -> Relation:
    """Return the reading of a table of the catalog."""
    relation = Relation()
    relation.read.is_streaming = True
    relation.read.named_table.unparsed_identifier = text
    return relation


def test_all_streamed_tables_are_found() -> None:
    """By path, by name and by the option `path`, below joins, unions and filters."""
    by_option = Relation()
    by_option.read.is_streaming = True
    by_option.read.data_source.format = "Delta"
    by_option.read.data_source.options["PATH"] = "/c"
    filtered, joined, union = Relation(), Relation(), Relation()
    filtered.filter.input.CopyFrom(path("/a"))
    joined.join.left.CopyFrom(filtered)
    joined.join.right.CopyFrom(name("b"))
    union.set_op.left_input.CopyFrom(joined)
    union.set_op.right_input.CopyFrom(by_option)
    assert streamed_tables(frame(union)) == ["/a", "b", "/c"]


def test_batches_and_other_formats_are_left_out() -> None:
    """A batch of the target in a join is no loop, and neither is a stream of files."""
    joined, both = Relation(), Relation()
    joined.join.left.CopyFrom(path("/a", streaming=False))
    joined.join.right.CopyFrom(path("/b", kind="json"))
    both.join.left.CopyFrom(joined)
    both.join.right.CopyFrom(path("s3a://c/d"))
    assert streamed_tables(frame(both)) == ["s3a://c/d"]
