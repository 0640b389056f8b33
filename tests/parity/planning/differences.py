# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What the two sides may answer differently to a planning script: see docs/differences.md."""

import json
from typing import Any

from parity.conditions import TRACK
from parity.planning.judge import Answers
from parity.planning.script import Mode, Open, Plans
from parity.planning.table import Commit, Remove


def remembered(script: Plans, stock: Answers, ours: Answers) -> bool:
    """Whether the two part only after a restart of a stream from the newest version: stock looks
    again for where that begins, ours remembers it."""
    if not from_latest(script):
        return False
    opened = [number for number, step in enumerate(script.steps) if isinstance(step, Open)]
    return stock[: opened[1]] == ours[: opened[1]] if len(opened) > 1 else False


def reaches_on(script: Plans, stock: Answers, ours: Answers) -> bool:
    """Whether the two part only in the first batch from a snapshot, which reaches beyond it: stock
    reads the snapshot before its end, ours what it was planned with: files gone since as well."""
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
        and set(one["files"]) < set(other["files"])
        and {file.split(" ")[0] for file in set(other["files"]) - set(one["files"])} <= gone
        for one, other in pairs
    )


def shape(answer: dict[str, Any]) -> list[tuple[str | None, str]]:
    return [(batch["start"], batch["end"]) for batch in answer["batches"]]


def inside_snapshot(offset: str) -> bool:
    return bool(json.loads(offset)["isStartingVersion"])


def taken(commit: Commit) -> list[str]:
    return [action.path for action in commit.actions if isinstance(action, Remove)]


def one_more(script: Plans, stock: Answers, ours: Answers) -> bool:
    """Whether stock ends an AvailableNow run over a change feed with one batch more, an empty one,
    behind the change files of its bound, and both go on alike from there."""
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
    """From a file of a version to its end."""
    if batch["start"] is None:
        return False
    start, end = json.loads(batch["start"]), json.loads(batch["end"])
    return bool(
        start["index"] >= 0
        and end["index"] < 0
        and end["reservoirVersion"] == start["reservoirVersion"] + 1
    )


def ends(answer: dict[str, Any]) -> tuple[list[str], Any]:
    """A batch that is thrown away is another on a side that had one more."""
    kept = [batch["end"] for batch in answer["batches"] if not batch.get("discarded")]
    return kept, answer["error"]


def another_schema(script: Plans, stock: Answers, ours: Answers) -> bool:
    """Whether the two only name different schemas in the error that keeps a change feed from
    beginning: stock the next one on its way, ours the one of its start."""

    def plain(answers: Answers) -> list[object]:
        return [{**answer, "error": unnamed(answer["error"])} for answer in answers]

    return script.table.feed and plain(stock) == plain(ours)


def unnamed(error: dict[str, Any] | None) -> object:
    if error is None or error["condition"] != TRACK:
        return error
    return {**error["parameters"], "readSchema": None}


def from_latest(script: Plans) -> bool:
    opens = [step for step in script.steps if isinstance(step, Open)]
    asked = [{**script.options, **step.options}.get("startingVersion") for step in opens]
    return set(asked) == {"latest"}


ALLOWED = (remembered, reaches_on, one_more, another_schema)
