# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Allowed differences between the two sides in planning scripts: see differences.md."""

import json
from typing import Any

from parity.harness.schema_conditions import TRACK
from parity.planning.compare import EARLY, Answers, adds, label, rows
from parity.planning.script import Mode, Open, Plans
from parity.planning.table import Change, Commit, Remove


def remembered(script: Plans, stock: Answers, ours: Answers) -> bool:
    """Whether the answers differ only after restarting a stream from the newest version: stock
    resolves that version again, ours remembers it."""
    if not from_latest(script):
        return False
    opened = [number for number, step in enumerate(script.steps) if isinstance(step, Open)]
    return stock[: opened[1]] == ours[: opened[1]] if len(opened) > 1 else False


def reaches_on(script: Plans, stock: Answers, ours: Answers) -> bool:
    """Whether the answers differ only in a first batch that ends after its snapshot: stock reads
    the snapshot as of the batch's end, ours the planned one, including files removed since, and
    not those into which an OPTIMIZE has moved their rows since."""
    gone = {path for commit in script.table.commits for path in taken(commit)}
    pairs = [
        pair
        for one, other in zip(stock, ours, strict=True)
        for pair in zip(one["batches"], other["batches"], strict=False)
        if pair[0] != pair[1]
    ]
    alike = [(shape(one), one["error"]) for one in stock] == [
        (shape(other), other["error"]) for other in ours
    ]
    return alike and all(
        one["start"] is None
        and not inside_snapshot(one["end"])
        and fewer_or_moved(script, set(one["files"]), set(other["files"]))
        and {file.split(" ")[0] for file in set(other["files"]) - set(one["files"])} <= gone
        for one, other in pairs
    )


def shape(answer: dict[str, Any]) -> list[tuple[str | None, str]]:
    return [(batch["start"], batch["end"]) for batch in answer["batches"]]


def inside_snapshot(offset: str) -> bool:
    return bool(json.loads(offset)["isStartingVersion"])


def fewer_or_moved(script: Plans, stock: set[str], ours: set[str]) -> bool:
    """Whether stock has fewer files, or files into which rows of ours were moved."""
    more = stock - ours
    if not more:
        return stock < ours
    moved = {label(add) for add in adds(script.table.commits) if not add.new}
    numbers = rows(script)
    known = {row for file in ours for row in numbers.get(file, ())}
    return more <= moved and all(known.issuperset(numbers[file]) for file in more)


def taken(commit: Commit) -> list[str]:
    return [action.path for action in commit.actions if isinstance(action, Remove)]


def one_more(script: Plans, stock: Answers, ours: Answers) -> bool:
    """Whether stock ends an AvailableNow run over a change feed with an extra, empty batch after
    the change files of its bound, and both continue alike."""
    number = next(
        (n for n, pair in enumerate(zip(stock, ours, strict=True)) if pair[0] != pair[1]), 0
    )
    if script.mode_at(number) is not Mode.NOW:
        return False
    one, other = stock[number], ours[number]
    more = one["batches"][len(other["batches"]) :]
    return bool(
        one["batches"][: len(other["batches"])] == other["batches"]
        and len(more) == 1
        and closes(more[0])
        and list(map(ends, stock[number + 1 :])) == list(map(ends, ours[number + 1 :]))
    )


def closes(batch: dict[str, Any]) -> bool:
    """Whether a batch goes from a file of a version to that version's end."""
    return batch["start"] is not None and to_the_end(batch["start"], batch["end"])


def to_the_end(file: str, end: str) -> bool:
    """Whether the first offset is a file of a version, and the second the end of that version."""
    start, after = json.loads(file), json.loads(end)
    return bool(
        start["index"] >= 0
        and after["index"] < 0
        and after["reservoirVersion"] == start["reservoirVersion"] + 1
    )


def bound_as_its_end(script: Plans, stock: Answers, ours: Answers) -> bool:
    """Whether the last batch of an AvailableNow run over a change feed ends at the last change file
    of its bound for ours, and at the end of that version for stock: `one_more`, if the limit lets
    the batch go past that file. No batch may follow."""
    number = next(
        (n for n, pair in enumerate(zip(stock, ours, strict=True)) if pair[0] != pair[1]), 0
    )
    one, other = stock[number], ours[number]
    if script.mode_at(number) is not Mode.NOW or not (one["batches"] and other["batches"]):
        return False
    last, bound = one["batches"][-1], other["batches"][-1]
    return bool(
        script.table.feed
        and to_the_end(bound["end"], last["end"])
        and at_last_change(script, bound["end"])
        and {**one, "batches": [*one["batches"][:-1], {**last, "end": bound["end"]}]} == other
        and stock[number + 1 :] == ours[number + 1 :]
        and not any(answer["batches"] for answer in stock[number + 1 :])
    )


def at_last_change(script: Plans, offset: str) -> bool:
    """Whether an offset is the last change file of a version. Version 1 is the first commit."""
    end = json.loads(offset)
    actions = script.table.commits[end["reservoirVersion"] - 1].actions
    return bool(sum(isinstance(action, Change) for action in actions) == end["index"] + 1)


def missing_vector(script: Plans, stock: Answers, ours: Answers) -> bool:
    """Whether the answers differ only in the error for the file of a deletion vector that is gone:
    the row "Data file that is gone" of differences.md. The planning scripts write no vectors."""
    names = ("DELTA_LOG_FILE_NOT_FOUND_FOR_STREAMING_SOURCE", "DELTASOURCE_FILE_VACUUMED")
    return (
        script.table.feed
        and script.table.vectors
        and stock != ours
        and all(
            one == other
            or (
                {**one, "error": None} == {**other, "error": None}
                and (condition(one), condition(other)) == names
            )
            for one, other in zip(stock, ours, strict=True)
        )
    )


def ends(answer: dict[str, Any]) -> tuple[list[str], Any]:
    """The ends of batches; discarded ones are ignored, as they differ after an extra batch."""
    kept = [batch["end"] for batch in answer["batches"] if not batch.get("discarded")]
    return kept, answer["error"]


def another_schema(script: Plans, stock: Answers, ours: Answers) -> bool:
    """Whether the answers differ only in the schema named when a change feed cannot begin: stock
    names the next one, ours that of the start."""

    def plain(answers: Answers) -> list[object]:
        return [{**answer, "error": unnamed(answer["error"])} for answer in answers]

    return script.table.feed and plain(stock) == plain(ours)


def unnamed(error: dict[str, Any] | None) -> object:
    if error is None or error["condition"] != TRACK:
        return error
    return {**error["parameters"], "readSchema": None}


def from_latest(script: Plans) -> bool:
    opens = [step for step in script.steps if isinstance(step, Open)]
    starts = [{**script.options, **step.options}.get("startingVersion") for step in opens]
    return set(starts) == {"latest"}


def bad_backlog(script: Plans, stock: Answers, ours: Answers) -> bool:
    """Whether stock's AvailableNow runs fail over a commit of the backlog, and ours over the schema
    at their start: stock plans the backlog before it compares schemas. Nothing else may differ."""
    return stock != ours and all(
        one == other
        or (
            script.mode_at(number) is Mode.NOW
            and not one["batches"]
            and {**one, "error": None} == {**other, "error": None}
            and condition(one) in EARLY
            and condition(other) == TRACK
        )
        for number, (one, other) in enumerate(zip(stock, ours, strict=True))
    )


def condition(answer: dict[str, Any]) -> str | None:
    error = answer["error"]
    return None if error is None else str(error["condition"])


ALLOWED = (
    remembered,
    reaches_on,
    one_more,
    bound_as_its_end,
    another_schema,
    bad_backlog,
    missing_vector,
)
