# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""An argument that does not exist is a TypeError, as always, with the one that was meant."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import pytest

import deltasource.testing
from deltasource import ReadOptions, SchemaTracking, WriteOptions
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource.testing import TableHistory
from support.fake_readers import Session


@pytest.mark.parametrize(
    ("call", "given", "meant"),
    [
        (deltasource.read_stream, "max_file", "max_files"),
        (deltasource.read_stream, "maxFilesPerTrigger", "max_files"),
        (deltasource.read_stream, "startingVersion", "start"),
        (deltasource.read_stream, "skipChangeCommits", "on_change"),
        (deltasource.stream_changes, "maxBytesPerTrigger", "max_bytes"),
        (deltasource.read_changes, "endingVersion", "end"),
        (deltasource.run_until, "restart", "restarts"),
        (deltasource.write_stream, "checkpointLocation", "checkpoint"),
        (deltasource.write_stream, "queryName", "name"),
        (deltasource.write_stream, "outputMode", "mode"),
        (deltasource.write_stream, "availableNow", "trigger"),
        (deltasource.apply_changes, "processingTime", "trigger"),
        (deltasource.apply_changes, "key", "keys"),
        (deltasource.apply_snapshots, "scd_type", "stored_as_scd_type"),
        (deltasource.net_changes, "ends", "end"),
        (deltasource.monitor, "keeps", "keep"),
        (deltasource.Checkpoint, "paths", "path"),
        (ReadOptions, "maxFiles", "max_files"),
        (WriteOptions, "mergeSchema", "merge_schema"),
        (SchemaTracking, "allowRename", "allow_rename"),
    ],
)
def test_the_nearest_argument_is_named(call: Callable[..., Any], given: str, meant: str) -> None:
    """Spark's names of options, in its spelling, are near to ours."""
    with pytest.raises(TypeError, match=f"there is no argument {given}: did you mean {meant}\\?$"):
        call(**{given: 1})


def test_an_option_that_another_function_sets_names_it() -> None:
    """Such as that of a change feed."""
    wrong: Any = {"readChangeFeed": True}
    with pytest.raises(TypeError, match=r"leave it out, and call stream_changes$"):
        deltasource.read_stream(**wrong)


def test_all_unknown_arguments_are_named() -> None:
    """With the name of the function; what resembles nothing gets no suggestion."""
    wrong: Any = {"max_file": 1, "quux": 2}
    with pytest.raises(TypeError) as error:
        deltasource.read_stream(**wrong)
    assert str(error.value) == (
        "read_stream(): there is no argument max_file: did you mean max_files?; "
        "there is no argument quux: the arguments are spark, path_or_table, options, start, "
        "max_files, max_bytes, on_change, exclude_regex, fail_on_data_loss, schema_tracking, "
        "extra, source_name"
    )
    with pytest.raises(
        TypeError, match=r"^ReadOptions\(\): there is no argument quux: the arguments are start"
    ):
        ReadOptions(quux=1)  # type: ignore[call-arg] # the mistake


@pytest.mark.parametrize(
    ("call", "given", "wrong"),
    [
        (deltasource.read_stream, {"max_files": 0}, "max_files must be an integer from 1 to"),
        (deltasource.stream_changes, {"max_bytes": "many", "name": None}, "max_bytes must be"),
        (deltasource.write_stream, {"merge_schema": "yes"}, "merge_schema must be True or False"),
        (ReadOptions, {"on_change": "skip"}, "on_change must be"),
    ],
)
def test_invalid_options_are_listed_with_unknown_ones(
    call: Callable[..., Any], given: Any, wrong: str
) -> None:
    """So that a call need not be corrected twice."""
    with pytest.raises(TypeError) as error:
        call(**given, quux=1)
    assert re.search(rf"no argument quux: the arguments are [a-z_, ]+; {wrong}", str(error.value))


@pytest.mark.parametrize("given", ["on_change", "skipChangeCommits", "ignoreDeletes"])
def test_a_change_feed_has_no_on_change(given: str) -> None:
    """Nothing resembles it, so the reason is said instead."""
    for call in (deltasource.stream_changes, deltasource.read_changes):
        wrong: Any = {given: "fail"}
        with pytest.raises(TypeError, match=f"{given}: leave it out, because a change feed"):
            call(**wrong)


def test_a_session_is_not_the_first_argument_of_every_function() -> None:
    """`read_stream` takes it first; `write_stream` takes it from the stream."""
    wrong: Any = (Session(), "rows", "./w")
    with pytest.raises(TypeError) as error:
        deltasource.write_stream(*wrong, checkpoint="c")
    assert str(error.value) == (
        "write_stream() does not take a session first: write write_stream(frame, path_or_table, "
        "...)"
    )


def test_arguments_that_need_a_name_are_named() -> None:
    """Python's own error only counts them."""
    calls: list[tuple[Callable[..., object], tuple[object, ...], str]] = [
        (
            deltasource.read_stream,
            (Session(), "t", ReadOptions()),
            "read_stream() takes only spark, path_or_table by position: give ReadOptions(",
        ),
        (deltasource.write_stream, ("rows", "./w", "c"), "give 'c' as name=value"),
        (
            deltasource.Checkpoint("c").batches,
            (3,),
            "Checkpoint.batches() takes no argument by position: give 3 as name=value",
        ),
    ]
    for call, given, message in calls:
        with pytest.raises(TypeError) as error:
            call(*given)
        assert message in str(error.value)
    options: Any = (Session(), "t", ReadOptions())
    with pytest.raises(TypeError, match=r"as options=\.\.\.$"):
        deltasource.read_stream(*options)


def test_a_method_has_hints() -> None:
    """Its own object is not one of the arguments that are counted or suggested."""

    class Table:
        @with_keyword_hints
        def backlog(self, table: str, *, change_feed: bool = False) -> bool:
            return bool(table) and change_feed

    wrong: Any = {"changefeed": True}
    with pytest.raises(TypeError) as error:
        Table().backlog("./src", **wrong)
    assert str(error.value).endswith(
        "Table.backlog(): there is no argument changefeed: did you mean change_feed?"
    )
    assert Table().backlog("./src", change_feed=True)


def test_a_function_stays_what_it_is() -> None:
    """Its name, its signature and its result; other type errors are Python's."""

    @with_keyword_hints
    def add(one: int, *more: int, factor: int = 1) -> int:
        return (one + sum(more)) * factor

    assert add(1, 2, factor=2) == 6
    assert (add.__name__, str(inspect.signature(add))) == (
        "add",
        "(one: 'int', *more: 'int', factor: 'int' = 1) -> 'int'",
    )
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        add()  # type: ignore[call-arg] # the mistake


@pytest.mark.parametrize(
    ("method", "given", "meant"),
    [
        ("backlog", "changefeed", "change_feed"),
        ("batches", "lasts", "last"),
        ("schema_log", "locations", "location"),
    ],
)
def test_the_methods_of_a_checkpoint_have_hints(method: str, given: str, meant: str) -> None:
    """The nearest argument is named, as by functions."""
    call = getattr(deltasource.Checkpoint("c"), method)
    with pytest.raises(TypeError, match=rf"Checkpoint\.{method}\(\): .* did you mean {meant}\?$"):
        call(**{given: 1})


def _functions() -> dict[str, Callable[..., Any]]:
    """Every public function that takes an argument."""
    found = {
        name: getattr(module, name)
        for module in (deltasource, deltasource.testing)
        for name in module.__all__
        if inspect.isfunction(getattr(module, name))
    }
    methods = {f"TableHistory.{name}": one for name, one in vars(TableHistory).items()}
    found |= {name: one for name, one in methods.items() if inspect.isfunction(one)}
    return {
        name: one
        for name, one in found.items()
        if "._" not in name and set(inspect.signature(one).parameters) - {"self"}
    }


@pytest.mark.parametrize("name", _functions())
def test_every_public_function_has_hints(name: str) -> None:
    """An argument that it does not have is named, before anything happens."""
    with pytest.raises(TypeError, match="there is no argument quux: the arguments are "):
        _functions()[name](quux=1)
