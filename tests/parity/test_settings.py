# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Scripts in which confs, options and schema changes meet, without Spark: what is in them."""

import itertools
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from parity import changing, explained, live, settings, store
from parity.catalogue.schemas import DELTA
from parity.conditions import CHANGED, OPTIONS, TRACK
from parity.history import Alter, Create, Insert
from parity.naming import java_hash
from parity.run import Play
from parity.script import Drain, Script, Start, Stop, Trigger, Write
from parity.surgery import CleanUp, Remake
from parity.trace import Batch, Failure, Moment

SCRIPTS = [settings.script(seed) for seed in range(400)]
SHARED = [changing.history(number) for number in range(changing.HISTORIES)]
STARTS = [step for script in SCRIPTS for step in script.steps if isinstance(step, Start)]
PAGE = Path(__file__).resolve().parents[2] / "docs" / "options.md"


@pytest.mark.parametrize("seed", range(10))
def test_a_seed_always_makes_the_same_script(seed: int, tmp_path: Path) -> None:
    """A stored script is the one its seed makes, and the next seed makes another."""
    found = settings.script(seed)
    file = store.keep(found, tmp_path)
    assert store.kept(tmp_path)[file.stem] == found
    assert settings.script(seed) == found != settings.script(seed + 1)


def test_every_conf_that_a_stream_heeds_is_drawn_away_from_its_default() -> None:
    """Each row of the table in docs/options.md, with a value that is not its default."""
    table = PAGE.read_text().split("## Delta's session confs that a stream heeds")[1]
    rows = re.findall(r"^\| `([^|]+)` \| (?:`(\w+)`|none) \|", table, re.MULTILINE)
    plain = {name: default for name, default in rows if default}
    acknowledged = re.findall(r"\| (`streaming.allowSourceColumnRename`.*?) \| none", table)
    assert {name: OPPOSITE[default] for name, default in plain.items()} == settings.SWITCHES
    assert len(acknowledged) == 1
    drawn = Counter(name.removeprefix(DELTA) for step in STARTS for name in step.confs)
    by_conf = {f"streaming.{name}" for name in settings.ALLOWED_BY_CONF}
    hashed = {name + settings.HASHED for name in by_conf}
    assert set(drawn) == {*settings.SWITCHES, *by_conf, *hashed}
    assert min(drawn.values()) > 3


OPPOSITE = {"true": "false", "false": "true"}


def test_confs_options_and_tracking_differ_between_runs() -> None:
    """A stream tracks in one run and reads on unsafely in another, in either order."""
    orders = Counter(
        (tracks(one), tracks(other), settings.UNSAFE in str(one.confs))
        for script in SCRIPTS
        for one, other in adjacent(script)
        if (settings.UNSAFE in str(one.confs)) != (settings.UNSAFE in str(other.confs))
    )
    assert min(orders[True, True, first] for first in (True, False)) > 10
    assert min(orders[True, False, True], orders[False, True, True]) > 2
    together = Counter(min(len(step.confs), 3) for step in STARTS)
    assert min(together[count] for count in range(4)) > 50


def tracks(step: Start) -> bool:
    return any("chema" in name and "ocation" in name for name in step.options)


def adjacent(script: Script) -> list[tuple[Start, Start]]:
    found = [step for step in script.steps if isinstance(step, Start)]
    return list(itertools.pairwise(found))


def test_every_option_is_drawn() -> None:
    """Options of a stream and of a run, those of a change feed under both names."""
    drawn = {name for script in SCRIPTS for name in script.options}
    drawn |= {name for step in STARTS for name in step.options}
    table = PAGE.read_text().split("## Change feed")[0]
    names = set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))
    batches = {"endingVersion", "endingTimestamp", "versionAsOf", "timestampAsOf"}
    assert names - batches == drawn
    assert {script.legs for script in SCRIPTS} == {2, 3, 4}
    assert {script.whole for script in SCRIPTS} == set(SHARED)


def test_the_shared_histories_hold_every_kind_of_change() -> None:
    """Every statement about columns, nested ones too, mapped or not, and what no writer does."""
    told = "\n".join(op.change for ops in SHARED for op in ops if isinstance(op, Alter))
    for part in (
        *("ADD COLUMNS (c", "ADD COLUMNS (s.", "RENAME COLUMN s.", "DROP COLUMN s.", " TYPE "),
        *("DROP NOT NULL", "COMMENT", " AFTER ", "Mapping.mode", changing.FEED, changing.WIDENING),
        *("'mine'", "logRetention", "feature.domainMetadata", "feature.timestampNtz"),
    ):
        assert part in told
    lines = told.splitlines()
    pairs = list(itertools.pairwise(lines))
    assert any(one.startswith("DROP") and other.startswith("ADD") for one, other in pairs)
    assert any(one.startswith("RENAME") and other.startswith("ADD") for one, other in pairs)
    created = [ops[0] for ops in SHARED if isinstance(ops[0], Create)]
    assert {op.mapping for op in created} == {"", "name", "id"}
    assert {bool(op.clause) for op in created} == {True, False}
    surgery = Counter(type(op) for ops in SHARED for op in ops)
    assert min(surgery[CleanUp], surgery[Remake]) > 3


def test_no_two_columns_hold_the_same_value() -> None:
    """The tag of a column is part of every value it ever holds, and no other column has it."""
    for ops in SHARED:
        columns = [columns_of(op) for op in ops if isinstance(op, Insert)]
        assert all(len(tags) == len(set(tags)) for tags in columns)


def columns_of(op: Insert) -> list[str]:
    return re.findall(r"(?:concat\('|CAST\(|(?<=, )|^|NULL, )(\d+)(?:-'| \* )", op.values)


def test_a_conf_may_name_the_checkpoint_by_its_hash(tmp_path: Path) -> None:
    """Delta knows a checkpoint by the hash of its path, which differs in each run."""
    step = Start(confs={DELTA + f"streaming.allowSourceColumnDrop{settings.HASHED}": "always"})
    play = Play(replace(SCRIPTS[0], history=(), steps=(step,)), (), (), tmp_path)
    number = java_hash(f"file:{tmp_path}/checkpoint/sources/0")
    name = f"{DELTA}streaming.allowSourceColumnDrop.ckpt_{number}"
    assert play.confs(step) == {name: "always"}


def test_only_the_schema_that_is_named_may_differ_where_a_stream_cannot_begin() -> None:
    """Any other parameter, condition, row or stream makes it a difference."""

    def trace(condition: str = TRACK, **parameters: str) -> tuple[Moment, ...]:
        told = tuple(sorted(parameters.items()))
        return (Moment("", "failed", (), (), (), Failure("run", "", condition, None, told, None)),)

    options = {"readChangeFeed": "true", "maxFilesPerTrigger": "1"}
    feed = replace(SCRIPTS[0], options=options, steps=())
    one, other = (trace(readSchema=read, docLink="a") for read in "12")
    assert explained.another_schema(feed, one, other)
    assert not explained.another_schema(
        replace(feed, options={"readChangeFeed": "true"}), one, other
    )
    earlier, later = (trace(OPTIONS, version=number, dataSchema=number) for number in "12")
    assert explained.another_schema(feed, earlier, later)
    assert not explained.another_schema(feed, earlier, trace(OPTIONS, version="1", readSchema="1"))
    assert not explained.another_schema(feed, one, trace(readSchema="2", docLink="b"))
    changed = trace(CHANGED, readSchema="1"), trace(CHANGED, readSchema="2")
    assert not explained.another_schema(feed, *changed)


def test_a_replayed_batch_may_differ_only_where_columns_change() -> None:
    """It is read with the columns of its replay; without such a change the rows are the same."""
    rest = Moment("", "over", (), (), (), None)
    batches = ((0, "a"),), ((0, "a", None),)
    trace = tuple(replace(rest, batches=(Batch(0, rows),)) for rows in batches)
    steps = (Start(), Drain(), Stop(), Write(()), Start(), Drain(), Stop())
    script = replace(SCRIPTS[0], options={}, history=(Create(), Insert("1")), steps=steps)
    whole = (*trace, *[rest] * 5)
    assert live.counted(script, whole) != []
    for change in ("ADD COLUMNS (c INT)", "DROP COLUMN c", "ALTER COLUMN n TYPE INT"):
        changed = replace(script, steps=(*steps[:3], Write((Alter(change),)), *steps[4:]))
        assert live.counted(changed, whole) == []
    noted = replace(script, steps=(*steps[:3], Write(changing.NOTES[:1]), *steps[4:]))
    assert live.counted(noted, whole) != []


def test_files_that_are_left_out_are_not_lost() -> None:
    """With `excludeRegex` fewer rows may come, but none twice."""
    rest = Moment("", "over", (), (), (), None)
    script = replace(
        SCRIPTS[0],
        options={"excludeRegex": "a"},
        history=(Create(), Insert("1", rows=2)),
        steps=(Start(), Drain(), Stop()),
    )
    one = (rest, replace(rest, batches=(Batch(0, ((0,),)),)), rest)
    assert live.counted(script, one) == []
    assert live.counted(replace(script, options={}), one) == ["lost: [1]"]
    twice = (rest, replace(rest, batches=(Batch(0, ((0,), (0,))),)), rest)
    assert live.counted(script, twice) == ["too many: [0]"]


def test_a_change_after_the_bound_of_a_run_explains_only_its_own_failure() -> None:
    """The run of AvailableNow is over for ours, and both give the same rows in the end."""
    steps = (Start(Trigger.AVAILABLE_NOW), Drain(), Stop(), Start(), Drain(), Stop())
    script = replace(SCRIPTS[0], steps=steps)
    rest = Moment("", "over", (), (), (), None)
    came = replace(rest, batches=(Batch(0, ((0,),)),))
    failed = replace(rest, failure=Failure("run", "", CHANGED, None, (), None), state="failed")
    stock, ours = (rest, failed, rest, rest, came, rest), (rest, came, *[rest] * 4)
    assert explained.behind_the_bound(script, stock, ours)
    assert not explained.behind_the_bound(replace(script, steps=(Start(), *steps[1:])), stock, ours)
    assert not explained.behind_the_bound(script, stock, (rest,) * 6)
    assert not explained.behind_the_bound(script, (rest, rest, *stock[2:]), ours)
    lost = (rest, replace(came, state="failed"), *[rest] * 4)
    assert not explained.behind_the_bound(script, stock, lost)


def failing(condition: str | None, kind: str = "") -> Moment:
    return Moment("", "failed", (), (), (), Failure("run", kind, condition, None, (), None))


def test_both_must_fail_over_what_was_cleaned_up() -> None:
    """Stock looks its start up again; nothing else explains another condition."""
    cleaned = replace(SCRIPTS[0], history=(Create(), CleanUp(1)), steps=())
    gone, missing = "DELTA_VERSION_NOT_FOUND", "DELTA_MISSING_FILES_UNEXPECTED_VERSION"
    rest = Moment("", "over", (), (), (), None)
    assert explained.lost_start(cleaned, (failing(gone),), (failing(missing),))
    assert not explained.lost_start(cleaned, (failing(gone),), (rest,))
    assert not explained.lost_start(cleaned, (failing(CHANGED),), (failing(missing),))
    kept = replace(cleaned, history=(Create(),))
    assert not explained.lost_start(kept, (failing(gone),), (failing(missing),))


def test_only_a_feed_that_leaves_files_out_fails_over_a_marker() -> None:
    """With delta-spark's null pointer, and not with anything else."""
    rest = Moment("", "over", (), (), (), None)
    options = {"readChangeFeed": "true", "excludeRegex": "a"}
    feed = replace(SCRIPTS[0], options=options, steps=())
    broken = (failing(None, "java.lang.NullPointerException"),)
    assert explained.excluded_marker(feed, broken, (rest,))
    assert not explained.excluded_marker(feed, (failing(CHANGED),), (rest,))
    for gone in options:
        kept = {name: options[name] for name in options if name != gone}
        assert not explained.excluded_marker(replace(feed, options=kept), broken, (rest,))


def test_a_run_that_resumes_at_a_change_may_only_give_more() -> None:
    """Rows that delta-spark's run leaves to the next one, or loses."""
    steps = (Start(Trigger.AVAILABLE_NOW), Drain(), Stop())
    script = replace(SCRIPTS[0], steps=steps)
    after = ((0, '{"index":-19,"x":1}'),)
    rest = Moment("", "over", (), after, (), None)
    more = replace(rest, batches=(Batch(1, ((7,),)),), offsets=(*after, (1, "{}")))
    assert explained.past_the_change(script, (rest, rest, rest), (rest, more, rest))
    assert not explained.past_the_change(script, (rest, more, rest), (rest, rest, rest))
    plain = replace(script, steps=(Start(), *steps[1:]))
    assert not explained.past_the_change(plain, (rest, rest, rest), (rest, more, rest))
