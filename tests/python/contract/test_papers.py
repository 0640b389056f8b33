# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""What the tables of README and docs repeat is what the code says."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime, timezone
from pathlib import Path
from typing import Any, Final, get_args

import pytest

from deltasource import (
    Latest,
    Progress,
    ReadOptions,
    SchemaTracking,
    SourceProgress,
    Time,
    Version,
    WriteOptions,
    _keys,
)
from deltasource._exposition import GAUGES
from deltasource.options import Change
from progress_samples import BEHIND, progress, source

Row = Mapping[str, str]

OPTIONS: Final = "docs/options.md"
SCALA: Final = "jvm/src/main/scala/org/apache/spark/sql/delta/stream"
# Reads of a table as it was: no options of a stream, and so not among our keys.
TIME_TRAVEL: Final = {"versionAsOf", "timestampAsOf"}
VALUES: Final[Mapping[str, object]] = {
    "start=Version(7)": Version(7),
    "start=Latest()": Latest(),
    "start=Time(at)": Time(datetime(2026, 1, 31, tzinfo=timezone.utc)),
    "max_files": 5,
    "max_bytes": 5,
    "exclude_regex": "x",
    "fail_on_data_loss": False,
    "schema_tracking": SchemaTracking(location="s"),
    "schema_tracking.source_id": SchemaTracking(location="s", source_id="a"),
    "schema_tracking.allow_drop": SchemaTracking(location="s", allow_drop="always"),
    "schema_tracking.allow_rename": SchemaTracking(location="s", allow_rename=7),
    "schema_tracking.allow_type_change": SchemaTracking(location="s", allow_type_change=7),
    **{f'on_change="{change}"': change for change in get_args(Change)},
}
"""For each way the page writes an option in Python, a value that is not the default."""


def tables(path: Path) -> list[list[Row]]:
    """Answer the tables of a page, each row by the names of its columns."""
    text = path.read_text(encoding="utf-8")
    found = (
        block.splitlines() for block in re.findall(r"^\|.*\n\| ---.*\n(?:\|.*\n)+", text, re.M)
    )
    return [[dict(zip(cells(t[0]), cells(r), strict=True)) for r in t[2:]] for t in found]


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def table(path: Path, *columns: str) -> list[Row]:
    """Answer the one table of a page that has these columns first."""
    (found,) = [t for t in tables(path) if tuple(t[0])[: len(columns)] == columns]
    return found


def code(cell: str) -> list[str]:
    """Answer what a cell shows as code."""
    return re.findall(r"`([^`]+)`", cell)


def field(python: str) -> str:
    return re.split("[=.]", python)[0]


def test_supported_versions_are_those_of_the_build(root: Path) -> None:
    """README's lines of Spark, Scala, Delta and Python are those that the build knows."""
    versions = (root / "project/Versions.scala").read_text(encoding="utf-8")
    delta = re.findall(r'val delta = "(.+)"', versions)
    lines = re.findall(
        r'SparkLine\(name = "(.+)", spark = "(.+)", scala = "(\d+\.\d+).*"', versions
    )
    project = (root / "python/pyproject.toml").read_text(encoding="utf-8")
    python = re.findall(r'^requires-python = ">=(.+)"$', project, re.MULTILINE)
    rows = table(root / "README.md", "Spark", "Scala")
    shown = [(row["Spark"], row["Scala"], row["Delta inside"], row["Python"]) for row in rows]
    assert shown == [
        (f"{name} (built with {spark})", scala, delta[0], f"{python[0]} or newer")
        for name, spark, scala in lines
    ]


def test_the_wheel_that_is_installed_is_of_this_version(root: Path) -> None:
    """README installs the wheel that the build makes now."""
    version = (root / "VERSION").read_text(encoding="utf-8").strip()
    readme = (root / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"deltasource-(\S+?)-py3", readme) == [version]


@pytest.mark.parametrize("page", ["README.md", "docs/options.md"])
def test_served_options_are_listed(root: Path, page: str) -> None:
    """Every option of a stream stands in both tables, with its field in Python, and no other."""
    first, second = ("Python", "Spark") if page == "README.md" else ("Spark", "Python")
    rows = table(root / page, first, second)
    names = [
        (name, field(text))
        for row in rows
        for name in code(row["Spark"])
        for text in code(row["Python"])
    ]
    assert dict(names) == _keys.SERVED
    others = {field(text) for row in rows if not code(row["Spark"]) for text in code(row["Python"])}
    assert others == {one.name for one in fields(ReadOptions)} - set(_keys.SERVED.values())


def test_old_names_are_listed(root: Path) -> None:
    """What Python leaves out of the table of options is another's old name, and says whose."""
    rows = [row for row in table(root / OPTIONS, "Spark", "Python") if row["Python"] == "none"]
    assert {code(row["Spark"])[0]: code(row["meaning"])[0] for row in rows} == _keys.OLD_NAMES


def test_options_that_are_functions_are_listed(root: Path) -> None:
    """What no field of ReadOptions stands for is listed with the function that does."""
    rows = table(root / OPTIONS, "Spark", "use")
    said = {name: code(row["use"]) for row in rows for name in code(row["Spark"])}
    listed = {name: use[0] for name, use in said.items() if name not in TIME_TRAVEL and use}
    assert listed == _keys.BY_FUNCTION


def test_options_of_a_writer_are_listed(root: Path) -> None:
    """Every option of a writer stands in its table, with its field in Python, and no other."""
    rows = table(root / OPTIONS, "Spark", "of WriteOptions")
    names = {name: code(row["of WriteOptions"])[0] for row in rows for name in code(row["Spark"])}
    assert names == _keys.WRITTEN
    said = {field(text) for row in rows for text in code(row["of WriteOptions"])}
    assert said == {one.name for one in fields(WriteOptions)}


def test_other_options_are_listed(root: Path) -> None:
    """What a stream does not take is listed as well, all of it, and nothing unheard of."""
    page = tables(root / OPTIONS)[:2]
    names = [name for rows in page for row in rows for name in code(row["Spark"])]
    options = [name for name in names if name.isalnum()]
    assert sorted(options) == sorted({*_keys.KNOWN, *TIME_TRAVEL})


def reader_options(root: Path) -> list[tuple[str, Sequence[str], str]]:
    rows = [row for row in table(root / OPTIONS, "Spark", "Python") if code(row["Spark"])]
    return [(code(row["Spark"])[0], code(row["Python"]), row["default"]) for row in rows]


def test_each_option_is_what_python_writes(root: Path) -> None:
    """What stands in the column for Python becomes the option in the column for Spark."""
    for spark, pythons, _ in reader_options(root):
        for python in pythons:
            given: dict[str, Any] = {field(python): VALUES[python]}
            # Whatever else is said of tracking, its location is said first.
            tracked = {_keys.SCHEMA_TRACKING_LOCATION} if "." in python else set[str]()
            assert set(ReadOptions(**given).to_spark()) - tracked == {spark}


def test_defaults_are_those_of_python(root: Path) -> None:
    """Where Python has a default and not just None, the page says the same."""
    shown = {spark: default for spark, _, default in reader_options(root)}
    assert code(shown[_keys.STARTING_VERSION]) == [str(ReadOptions().start)]
    assert shown[_keys.FAIL_ON_DATA_LOSS] == flag(ReadOptions().fail_on_data_loss)
    for change in get_args(Change):
        for spark in ReadOptions(on_change=change).to_spark():
            assert shown[spark] == flag(ReadOptions().on_change == change)


def flag(value: bool) -> str:
    return f"`{str(value).lower()}`"


def test_our_confs_are_listed(root: Path) -> None:
    """Our session confs are those of StreamConf.scala, with their defaults and in its order."""
    scala = (root / SCALA / "StreamConf.scala").read_text(encoding="utf-8")
    built = r'\.buildConf\("(.+?)"\).*?\.createWithDefault(?:String)?\((.+?)\)'
    confs = [(key, literal(root, text)) for key, text in re.findall(built, scala, re.DOTALL)]
    assert len(confs) == scala.count("buildConf")
    rows = table(root / "docs/options.md", "conf", "type")
    assert [(code(row["conf"])[0], row["default"].strip("`")) for row in rows] == confs


def literal(root: Path, text: str) -> str:
    """Answer what a Scala literal says, or the constant `File.name` stands for."""
    if constant := re.fullmatch(r"([A-Z]\w+)\.(\w+)", text):
        (file,) = (root / SCALA).rglob(f"{constant[1]}.scala")
        scala = file.read_text(encoding="utf-8")
        return str(re.findall(rf"val {constant[2]} = (\d+)L?\n", scala)[0])
    return text.strip('"')


def test_what_is_known_of_a_stream_is_listed(root: Path) -> None:
    """Every gauge and every metric stands in its table, and the metric is what Python reads."""
    rows = table(root / "docs/monitoring.md", "in Python", "metric of the source")
    assert [name for row in rows for name in code(row["gauge"])] == [one.name for one in GAUGES]
    for row in rows:
        for metric in code(row["metric of the source"]):
            (python,) = code(row["in Python"])
            read = Progress.of(progress(source(**{metric: "7"})))
            assert float(eval(python, {"sources": read.sources})) == 7
    known = {name for row in rows for name in code(row["metric of the source"])}
    assert known == {*BEHIND, "initialSnapshotPercent"}


def test_what_the_source_reports_is_what_python_reads(root: Path) -> None:
    """The names of the metrics, and the words for what ended a batch, are those of the source."""
    page = root / "docs/progress.md"
    scala = (root / SCALA / "progress/Metric.scala").read_text(encoding="utf-8")
    names = re.findall(r'Metric\("(\w+)"', scala)
    assert [name for row in table(page, "name", "unit") for name in code(row["name"])] == names
    assert set(names) == {*BEHIND, "initialSnapshotPercent"}
    words = set(re.findall(r'case Closing\.\w+ => "(\w+)"', scala))
    ends = [word for row in table(page, "`batchClosedBy`") for word in code(row["`batchClosedBy`"])]
    assert set(ends) == words
    assert words <= set(re.findall(r'"(\w+)"', SourceProgress.__doc__ or ""))
