# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The catalogue, without running it: names, reasons and cited rows of the docs."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from parity import switches
from parity.catalogue import EVERY, SCRIPTS
from parity.harness.differences import DIFFERENCES

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = ("internals/behaviour.md", "internals/hazards.md")
ALL = tuple(script for part in EVERY.values() for script in part)


def test_scripts_have_names_and_reasons() -> None:
    """A script has a unique name, a reason, and the rows of the docs that it is about."""
    assert [
        name for name, count in Counter(script.name for script in ALL).items() if count > 1
    ] == []
    assert [script.name for script in ALL if not script.why or not script.cites] == []
    runs = Counter(
        repr((script.history, sorted(script.options.items()), script.steps)) for script in ALL
    )
    assert [run for run, count in runs.items() if count > 1] == []


def test_every_difference_is_needed_by_a_script() -> None:
    """An allowed difference is used by a script, and documented for users."""
    names = [entry.name for entry in DIFFERENCES]
    assert set(names) == {script.allows for script in SCRIPTS} - {""}
    page = (DOCS / "internals" / "differences.md").read_text()
    assert [name for name in names if f"\n| {name} |" not in page] == []


def test_every_switch_is_turned_off_in_a_run_of_its_own() -> None:
    """Each session conf of ours for reading turns an optimization off and has its own run, except
    one that only bounds it, and one for streams that find nothing."""
    table = DOCS.parent / "jvm/src/main/resources/META-INF/deltasource/options.json"
    confs = {conf["name"] for conf in json.loads(table.read_text())["confs"]}
    # Every run sets the list interval to 0.
    listings, bound = "spark.deltasource.log.listInterval", "spark.deltasource.log.prefetchBytes"
    reading = {name for name in confs if not name.startswith("spark.deltasource.sink.")}
    idle = "spark.deltasource.log.maxIdleDelay"
    assert reading == {*switches.OFF, listings, bound, idle}
    assert len({*switches.OFF, listings}) <= 6
    assert [list(confs) for confs in switches.SETTINGS.values()][2:] == [
        [one] for one in switches.OFF
    ]


def test_scripts_cite_rows_that_exist() -> None:
    """Each cited row is in docs/internals/behaviour.md or docs/internals/hazards.md."""
    rows = {row for page in PAGES for row in named_parts(page)}
    cited = {row for script in ALL for row in script.cites.split(", ")}
    assert cited - rows == set()


@pytest.mark.parametrize("page", PAGES)
def test_rows_that_name_scripts_have_them(page: str) -> None:
    """If a page says that a part of the catalogue tests a row, a script of that part cites it."""
    missing = [
        (row, part)
        for row, parts in named_parts(page).items()
        for part in parts
        if part not in WHOLE and not any(row in script.cites.split(", ") for script in EVERY[part])
    ]
    assert missing == []


WHOLE = ("planning", "sink")
"""Parts whose scripts cite no rows, since each compares everything."""


def named_parts(page: str) -> dict[str, list[str]]:
    """The rows of a page, each with the parts of the catalogue that it names."""
    lines = (DOCS / page).read_text().splitlines()
    cells = [line.split(" | ") for line in lines if re.match(r"\| [A-Z]\d+ \|", line)]
    return {row[0].strip("| "): re.findall(r"parity/(\w+)", row[-1]) for row in cells}
