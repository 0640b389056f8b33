# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Many scripts on one table, and the command."""

from pathlib import Path

import pytest

from apply_changes import stored_failures
from apply_changes.__main__ import main
from apply_changes.combinations import COMBINATIONS
from apply_changes.explore import Exploration
from apply_changes.faults import FAULTS, LosesTombstones
from apply_changes.fold import AmbiguousSequence, Kind, fold
from apply_changes.history import After, Batch, Change, Script, Settings
from apply_changes.memory_engines import FoldEngine, IncrementalEngine
from apply_changes.multiplex import groups, multiplexed
from apply_changes.random_scripts import random_script


def test_the_batches_of_scripts_are_joined() -> None:
    """The first batches of all scripts are one batch; a short script has nothing in later ones."""
    first = Script((Batch((Change(0, 1),), After.STOP), Batch((Change(None, 2, Kind.TRUNCATE),))))
    second = Script((Batch((Change(1, 1), Change(None, 3, Kind.TRUNCATE)), After.CRASH),))
    assert multiplexed([first, second]) == Script(
        (
            Batch((Change(0, 1), Change(1, 1, script=1)), After.STOP),
            Batch((Change(None, 2, Kind.TRUNCATE),)),
        ),
        Settings(multiplexed=True),
    )


@pytest.mark.parametrize("number", range(len(COMBINATIONS)))
def test_each_script_has_its_rows(number: int) -> None:
    """The rows of a script in a shared table are those it has alone, but for truncates."""
    seeds = range(number, number + 8 * len(COMBINATIONS), len(COMBINATIONS))
    scripts = [script for seed in seeds if not (script := random_script(seed)).tie]
    together = multiplexed(scripts)
    rows = fold(together.events(), together.settings.rules)
    assert not isinstance(rows, AmbiguousSequence)
    truncates = [event for event in scripts[0].events() if event.kind is Kind.TRUNCATE]
    for place, script in enumerate(scripts):
        events = truncates + [one for one in script.events() if one.kind is not Kind.TRUNCATE]
        own = [
            {name: value for name, value in row.items() if name != "script"}
            for row in rows
            if row["script"] == place
        ]
        assert repr(own) == repr(fold(events, script.settings.rules))


def test_scripts_that_differ_do_not_share_a_table() -> None:
    """Scripts need the same settings and no ties; a group has no more than it may."""
    scripts = [random_script(seed) for seed in range(200)]
    found = list(groups(scripts, 5))
    assert sorted(map(id, scripts)) == sorted(id(script) for group in found for script in group)
    assert max(map(len, found)) == 5
    assert all(len(group) == 1 for group in found if group[0].tie)
    with pytest.raises(ValueError, match="2 settings"):
        multiplexed([random_script(0), random_script(1)])


def test_a_fault_is_found_in_a_group(tmp_path: Path) -> None:
    """The histories that diverge are counted; examples are shrunk, alone, and stored."""
    scripts = [
        Script(
            (Batch((Change(0, 2, Kind.DELETE if late else Kind.UPSERT),)), Batch((Change(0, 1),)))
        )
        for late in (False, True, False, True)
    ]
    (result,) = Exploration(LosesTombstones, 500, tmp_path).results(scripts, 4)
    assert (result.histories, result.divergent) == (4, 2)
    assert [len(failure.script.changes) for failure in result.failures] == [2, 2]
    assert list(stored_failures.kept(tmp_path).values()) == [result.failures[0].script]


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_found_in_groups(fault: type[IncrementalEngine]) -> None:
    """Sharing tables hides no fault."""
    exploration = Exploration(fault, 0, None)
    scripts = [random_script(seed) for seed in range(500)]
    assert any(
        exploration.run(multiplexed(group)) if len(group) > 1 else exploration.run(group[0])
        for group in groups(scripts, 50)
    )


def test_no_history_of_a_group_diverges() -> None:
    """The fold agrees with itself, for all groups."""
    results = Exploration(FoldEngine, 0, None).results(map(random_script, range(200)), 50)
    assert {(result.divergent, result.failures) for result in results} == {(0, ())}


def test_the_command_ends_with_a_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last line counts the histories, stored ones included."""
    stored_failures.keep(random_script(1), tmp_path)
    given = ["--histories", "50", "--engine", "memory", "--found", str(tmp_path)]
    assert main(given) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "51 histories, 0 divergent"


def test_the_command_names_what_failed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A divergence is shown with the file of its script, and the command fails."""
    monkeypatch.setattr("apply_changes.__main__.IncrementalEngine", LosesTombstones)
    given = ["--histories", "100", "--engine", "memory", "--found", str(tmp_path)]
    assert main(given) == 1
    lines = capsys.readouterr().out.splitlines()
    (first, *_) = sorted(stored_failures.kept(tmp_path))
    assert any(line.startswith(f"{first}.json: after batch") for line in lines)
    assert not lines[-1].startswith("100 histories, 0 ")
