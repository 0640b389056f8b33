# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Compares both sides' answers to a planning script with each other and with the rows due."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeAlias

from parity.harness.schema_conditions import ENDS_A_RUN, SCHEMA_CHANGED, may_follow
from parity.planning.script import Ahead, Go, Land, Mode, Open, Plans, Rest
from parity.planning.table import Add, Commit, Remove

Answers: TypeAlias = list[dict[str, Any]]
"""One answer per step."""

EARLY = SCHEMA_CHANGED | {
    "DELTA_SOURCE_IGNORE_DELETE",
    "DELTA_SOURCE_TABLE_IGNORE_CHANGES",
    "DELTA_MISSING_CHANGE_DATA",
}
"""Errors that stock raises before, and ours after, delivering the good data before their cause."""


def differing(stock: Answers, ours: Answers) -> Iterator[str]:
    for number, (one, other) in enumerate(zip(stock, ours, strict=True), 1):
        for what in ("batches", "error", "schemas"):
            if one.get(what) != other.get(what):
                yield f"step {number}: {what}: stock {one.get(what)}, ours {other.get(what)}"


def early_failure_step(stock: Answers, ours: Answers) -> int | None:
    """The first differing step, if stock failed early there and ours did not."""
    for number, (one, other) in enumerate(zip(stock, ours, strict=True)):
        if one != other:
            early = one["error"] is not None and one["error"]["condition"] in EARLY
            return number if early and begins(one["batches"], other["batches"]) else None
    return None


def cut(script: Plans, number: int) -> Plans:
    """The script up to stock's failure, extended until ours must have failed as well, with a new
    source in case the engine would have ended the run after a batch."""
    # A batch that never ends would keep ours from reaching its error.
    end = number if isinstance(script.steps[number], Ahead) else number + 1
    return replace(script, steps=(*script.steps[:end], Rest(), Open(), Rest()))


def good_first(stock: Answers, ours: Answers, *, once: bool = False) -> bool:
    """Whether ours returned all that stock did before its error, perhaps more, and then failed in
    the same way; with `once`, in the next run, which reads the newest schema."""
    *before, last = stock
    later = ours[len(before) :]
    failed = [answer["error"] for answer in later if answer["error"]]
    same = failed[:1] == [last["error"]]
    conditions = [error["condition"] for error in failed]
    return (
        before == ours[: len(before)]
        and begins(last["batches"], all_batches(later))
        and (same or (once and may_follow(last["error"]["condition"], conditions)))
    )


def begins(shorter: list[Any], longer: list[Any]) -> bool:
    return longer[: len(shorter)] == shorter


def all_batches(answers: Answers) -> list[dict[str, Any]]:
    return [batch for answer in answers for batch in answer["batches"]]


def row_faults(script: Plans, answers: Answers, *, remembers: bool = False) -> list[str]:
    """The rows lost and the rows delivered too often, by row number alone.

    A side that remembers its start delivers the same rows with and without a restart.
    """
    expected = due(script, remembers=remembers)
    errors = [answer["error"] for answer in answers if answer["error"]]
    over = answers[-1]["error"] or any(error["condition"] not in ENDS_A_RUN for error in errors)
    if expected is None or over:
        return []
    given = Counter(row for file in files(answers) for row in rows(script)[file])
    lost, extra = Counter(expected) - given, given - Counter(expected)
    return [
        f"{what}: rows {sorted(found.elements())}"
        for what, found in (("lost", lost), ("too many", extra))
        if found
    ]


def files(answers: Answers) -> Iterator[str]:
    """The files of the last delivery of each batch, since the sink keeps one."""
    kept: dict[str | None, list[str]] = {}
    for batch in all_batches(answers):
        if not batch.get("discarded"):
            kept[batch["start"]] = batch["files"]
    for found in kept.values():
        yield from found


def rows(script: Plans) -> dict[str, tuple[int, ...]]:
    return {label(add): add.rows for add in adds(script.table.commits)}


def label(add: Add) -> str:
    return add.path + (f" -{add.deleted}" if add.deleted else "")


def adds(commits: tuple[Commit, ...]) -> list[Add]:
    found = (action for commit in commits for action in commit.actions)
    return [action for action in found if isinstance(action, Add)]


def due(script: Plans, *, remembers: bool = False) -> list[int] | None:
    """The rows that must be delivered, each once; None if counting cannot tell."""
    commits = script.table.commits
    options = [step.options for step in script.steps if isinstance(step, Open)]
    if (
        script.table.feed
        or any(MARKED & set(given) for given in (script.options, *options))
        or any(START & set(given) for given in options)
        or any(takes_away(commit) for commit in commits)
        or sum(step.count for step in script.steps if isinstance(step, Land)) < len(commits)
        or not options
        or script.steps[-1] != Rest()
        or not drained(script)
    ):
        return None
    first = begin(script, remembers=remembers)
    if first is None:
        return None
    return [row for add in adds(commits[first:]) if add.new for row in add.rows]


MARKED = frozenset({"excludeRegex", "readChangeFeed"})
START = frozenset({"startingVersion", "startingTimestamp"})


def takes_away(commit: Commit) -> bool:
    return any(isinstance(action, Remove) and action.new for action in commit.actions)


def drained(script: Plans) -> bool:
    """Whether the last source reads to the end of the log."""
    place = max(n for n, step in enumerate(script.steps) if isinstance(step, Open))
    last, *after = script.steps[place:]
    mode = last.mode if isinstance(last, Open) else Mode.ONCE
    stops = {Mode.DEFAULT: Ahead, Mode.NOW: Ahead | Land, Mode.ONCE: Ahead | Land | Rest}[mode]
    return not any(isinstance(step, stops) for step in after)


def begin(script: Plans, *, remembers: bool = False) -> int | None:
    """How many commits precede the first one read; 0 for the initial snapshot as well."""
    options = script.options
    if "startingVersion" in options:
        if options["startingVersion"] == "latest":
            once = sum(isinstance(step, Open) for step in script.steps) == 1
            return landed(script) if once or remembers else None
        return max(int(options["startingVersion"]) - 1, 0)
    if "startingTimestamp" in options:
        return None
    return 0


def landed(script: Plans) -> int:
    """How many commits had landed at the first call of the source."""
    count = 0
    opened = False
    for step in script.steps:
        opened = opened or isinstance(step, Open)
        if opened and isinstance(step, Go | Ahead | Rest):
            break
        count += step.count if isinstance(step, Land) else 0
    return count
