# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Scripts that combine confs, options and schema changes, without Spark: their content."""

import itertools
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from docs import options
from parity.catalogue.schemas import DELTA
from parity.generators import conf_scripts, schema_histories
from parity.harness import live, stored_failures
from parity.harness.java_hash import java_hash
from parity.harness.run import ScriptRun
from parity.harness.trace import Batch, Moment
from parity.history import Alter, Create, Insert
from parity.log_edits import CleanUp, Remake
from parity.script import Drain, Script, Start, Stop, Write

SCRIPTS = [conf_scripts.script(seed) for seed in range(400)]
SHARED = [schema_histories.history(number) for number in range(schema_histories.HISTORIES)]
STARTS = [step for script in SCRIPTS for step in script.steps if isinstance(step, Start)]
ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("seed", range(10))
def test_a_seed_always_makes_the_same_script(seed: int, tmp_path: Path) -> None:
    """A stored script equals the one its seed makes, and the next seed makes another."""
    found = conf_scripts.script(seed)
    file = stored_failures.keep(found, tmp_path)
    assert stored_failures.kept(tmp_path)[file.stem] == found
    assert conf_scripts.script(seed) == found != conf_scripts.script(seed + 1)


def test_every_conf_of_a_stream_is_drawn_with_another_value_than_its_default() -> None:
    """Each row of the table in configuration.md is drawn with a value that is not its default."""
    page = (ROOT / "docs" / "reference" / "configuration.md").read_text()
    table = page.split("## Delta's session confs that affect a stream")[1]
    rows = re.findall(r"^\| `([^|]+)` \| (?:`(\w+)`|none) \|", table, re.MULTILINE)
    plain = {name: default for name, default in rows if default}
    acknowledged = re.findall(r"\| (`streaming.allowSourceColumnRename`.*?) \| none", table)
    assert {name: OPPOSITE[default] for name, default in plain.items()} == conf_scripts.SWITCHES
    assert len(acknowledged) == 1
    drawn = Counter(name.removeprefix(DELTA) for step in STARTS for name in step.confs)
    by_conf = {f"streaming.{name}" for name in conf_scripts.ALLOWED_BY_CONF}
    hashed = {name + conf_scripts.HASHED for name in by_conf}
    assert set(drawn) == {*conf_scripts.SWITCHES, *by_conf, *hashed}
    assert min(drawn.values()) > 3


OPPOSITE = {"true": "false", "false": "true"}


def test_confs_options_and_tracking_differ_between_runs() -> None:
    """A stream tracks schemas in one run and continues unsafely in another, in either order."""
    orders = Counter(
        (tracks(one), tracks(other), conf_scripts.UNSAFE in str(one.confs))
        for script in SCRIPTS
        for one, other in adjacent(script)
        if (conf_scripts.UNSAFE in str(one.confs)) != (conf_scripts.UNSAFE in str(other.confs))
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
    """Options of a stream and of a run, and those of a change feed under both names."""
    drawn = {name for script in SCRIPTS for name in script.options}
    drawn |= {name for step in STARTS for name in step.options}
    carried = options.read((ROOT / options.SOURCE).read_text()).sections["reader"]
    batches = {"endingVersion", "endingTimestamp", "versionAsOf", "timestampAsOf"}
    changes = {"readChangeFeed", "readChangeData"}
    assert {option.name for option in carried} - batches == drawn - changes
    assert changes <= drawn
    assert {script.legs for script in SCRIPTS} == {2, 3, 4}
    assert {script.whole for script in SCRIPTS} == set(SHARED)


def test_the_shared_histories_hold_every_kind_of_change() -> None:
    """Every statement about columns, nested or mapped too, and changes that no writer makes."""
    changes = "\n".join(op.change for ops in SHARED for op in ops if isinstance(op, Alter))
    for part in (
        *("ADD COLUMNS (c", "ADD COLUMNS (s.", "RENAME COLUMN s.", "DROP COLUMN s.", " TYPE "),
        *(
            "DROP NOT NULL",
            "COMMENT",
            " AFTER ",
            "Mapping.mode",
            schema_histories.FEED,
            schema_histories.WIDENING,
        ),
        *("'mine'", "logRetention", "feature.domainMetadata", "feature.timestampNtz"),
    ):
        assert part in changes
    lines = changes.splitlines()
    pairs = list(itertools.pairwise(lines))
    assert any(one.startswith("DROP") and other.startswith("ADD") for one, other in pairs)
    assert any(one.startswith("RENAME") and other.startswith("ADD") for one, other in pairs)
    created = [ops[0] for ops in SHARED if isinstance(ops[0], Create)]
    assert {op.mapping for op in created} == {"", "name", "id"}
    assert {bool(op.clause) for op in created} == {True, False}
    edits = Counter(type(op) for ops in SHARED for op in ops)
    assert min(edits[CleanUp], edits[Remake]) > 3


def test_no_two_columns_hold_the_same_value() -> None:
    """The tag of a column is part of all its values, and no other column has it."""
    for ops in SHARED:
        columns = [columns_of(op) for op in ops if isinstance(op, Insert)]
        assert all(len(tags) == len(set(tags)) for tags in columns)


def columns_of(op: Insert) -> list[str]:
    return re.findall(r"(?:concat\('|CAST\(|(?<=, )|^|NULL, )(\d+)(?:-'| \* )", op.values)


def test_a_conf_may_name_the_checkpoint_by_its_hash(tmp_path: Path) -> None:
    """Delta's confs name a checkpoint by the hash of its path, which differs in each run."""
    step = Start(confs={DELTA + f"streaming.allowSourceColumnDrop{conf_scripts.HASHED}": "always"})
    script_run = ScriptRun(replace(SCRIPTS[0], history=(), steps=(step,)), (), (), tmp_path)
    number = java_hash(f"file:{tmp_path}/checkpoint/sources/0")
    name = f"{DELTA}streaming.allowSourceColumnDrop.ckpt_{number}"
    assert script_run.confs(step) == {name: "always"}


def test_a_replayed_batch_may_differ_only_where_columns_change() -> None:
    """A replay reads the new columns; without a change of columns the rows are the same."""
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
    noted = replace(script, steps=(*steps[:3], Write(schema_histories.NOTES[:1]), *steps[4:]))
    assert live.counted(noted, whole) != []


def test_rows_of_excluded_files_are_not_lost() -> None:
    """With `excludeRegex` fewer rows may be delivered, but none twice."""
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
