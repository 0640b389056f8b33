# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Progress and other events written to files, to Prometheus and to a log."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deltasource import (
    EventSink,
    OptionsError,
    Progress,
    json_lines,
    log_progress,
    monitor,
    prometheus,
    read_events,
)
from deltasource._monitor.gauges import GAUGES
from deltasource._monitor.prometheus import format_label, format_text
from deltasource._monitor.query_metrics import QueryMetrics
from support.event_samples import behind
from support.progress_samples import BEHIND, QUERY, progress, source

SAMPLE = re.compile(r'(\w+)\{((?:\w+="(?:[^"\\\n]|\\[\\"n])*",?)+)\} (-?[0-9.e+-]+)\n')
ESCAPED = re.compile(r'\\[\\"n]')


def test_lines_of_json_are_read_back(tmp_path: Path) -> None:
    """Each progress is appended as a line and is equal when read back."""
    file = tmp_path / "progress.jsonl"
    batches = [behind(batchId=number) for number in range(3)]
    json_lines(file)(batches[0])
    sink = json_lines(str(file))
    sink(batches[1])
    file.rename(tmp_path / "moved")
    sink(batches[2])
    assert [list(read_events(one)) for one in (tmp_path / "moved", file)] == [
        batches[:2],
        batches[2:],
    ]


def test_prometheus_gets_the_latest_numbers(tmp_path: Path) -> None:
    """The file has every known number of the latest batch, and no other file is left."""
    file = tmp_path / "streams.prom"
    sink = prometheus(file)
    sink(behind(batchId=2))
    sink(behind())
    assert [one.name for one in tmp_path.iterdir()] == ["streams.prom"]
    of_query = '{query="orders"}'
    first, second = (f'{{query="orders",source="{key}"}}' for key in "01")
    assert [line for line in file.read_text().splitlines() if not line.startswith("#")] == [
        'deltasource_query_state{query="orders",state="running"} 1',
        'deltasource_query_state{query="orders",state="idle"} 0',
        'deltasource_query_state{query="orders",state="failed"} 0',
        'deltasource_query_state{query="orders",state="ended"} 0',
        f"deltasource_progress_timestamp_seconds{of_query} 1795280556.33",
        f"deltasource_batch_id{of_query} 3",
        f"deltasource_batch_rows{of_query} 10",
        f"deltasource_batch_duration_seconds{of_query} 0.35",
        f"deltasource_source_rows{first} 5",
        f"deltasource_source_rows{second} 5",
        f"deltasource_outstanding_versions{first} 4",
        f"deltasource_outstanding_files{first} 7",
        f"deltasource_outstanding_bytes{first} 99200005",
        f"deltasource_outstanding_age_seconds{first} 5400.25",
        f"deltasource_initial_snapshot_ratio{second} 0.25",
        f"deltasource_planning_seconds{first} 0.012",
    ]


def test_each_query_has_its_own_lines(tmp_path: Path) -> None:
    """All queries are in one file, with one HELP and one TYPE line per metric."""
    sink = prometheus(tmp_path / "streams.prom")
    for name in ("orders", None, "items"):
        sink(Progress.of(progress(name=name)))
    lines = (tmp_path / "streams.prom").read_text().splitlines()
    first = lines.index("# HELP deltasource_batch_id Id of the latest batch.")
    assert lines[first : first + 5] == [
        "# HELP deltasource_batch_id Id of the latest batch.",
        "# TYPE deltasource_batch_id gauge",
        'deltasource_batch_id{query="orders"} 3',
        f'deltasource_batch_id{{query="{QUERY}"}} 3',
        'deltasource_batch_id{query="items"} 3',
    ]


def test_the_prometheus_file_can_be_read_by_others(tmp_path: Path) -> None:
    """The collector may be another user, so the file has the default mode."""
    (tmp_path / "any").touch()
    prometheus(tmp_path / "streams.prom")(behind())
    assert (tmp_path / "streams.prom").stat().st_mode == (tmp_path / "any").stat().st_mode


def test_names_follow_the_conventions_of_prometheus() -> None:
    """Names are unique, in snake case, with our prefix and base units only."""
    names = [gauge.name for gauge in GAUGES]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"deltasource(_[a-z]+)+", name) for name in names)
    assert not any(name.endswith(("_ms", "_percent", "_total", "_hours")) for name in names)
    assert not any("\n" in gauge.help or "\\" in gauge.help for gauge in GAUGES)


@given(st.text())
def test_a_label_is_escaped_and_read_back(value: str) -> None:
    """Quotes, backslashes and newlines are read back, and do not break a line."""
    written = format_label(value)
    assert "\n" not in written
    inside = written[1:-1]
    assert re.fullmatch(r'(?:[^"\\\n]|\\[\\"n])*', inside)
    letters = {r"\\": "\\", r"\"": '"', r"\n": "\n"}
    assert ESCAPED.sub(lambda found: letters[found[0]], inside) == value


@given(st.text(min_size=1), st.text())
def test_no_query_name_breaks_the_format(name: str, description: str) -> None:
    """With any query name, each line is a comment or a sample."""
    one = Progress.of(progress(source(1, description, **BEHIND), name=name))
    written = format_text({one.query: QueryMetrics.after(None, one)})
    assert written.endswith("\n")
    for line in written.removesuffix("\n").split("\n"):
        assert line.startswith(("# HELP deltasource_", "# TYPE deltasource_")) or SAMPLE.fullmatch(
            f"{line}\n"
        )


def test_a_name_with_a_lone_surrogate_is_written(tmp_path: Path) -> None:
    """JSON may contain a lone surrogate, which cannot be encoded."""
    prometheus(tmp_path / "streams.prom")(behind(name="a\ud800b"))
    assert 'query="a?b"' in (tmp_path / "streams.prom").read_text()


@pytest.mark.parametrize(("sink", "name"), [(json_lines, "a.jsonl"), (prometheus, "a.prom")])
def test_an_invalid_path_is_refused_at_once(
    sink: Callable[[Any], EventSink], name: str, tmp_path: Path
) -> None:
    """It is refused when the sink is created, not at the first batch."""
    for path in (tmp_path / "missing" / name, 5, None):
        with pytest.raises(OptionsError, match="path must be"):
            sink(path)
    with pytest.raises(OptionsError, match=r"ends with \.prom"):
        prometheus(tmp_path / "a.txt")


def test_what_is_no_file_and_no_logger_is_refused(tmp_path: Path) -> None:
    """A folder, and the names of a logger and a level, would only fail at the first event."""
    with pytest.raises(OptionsError, match="path must be a file in a local folder"):
        json_lines(tmp_path)
    with pytest.raises(OptionsError) as error:
        log_progress("mylogger", level="DBUG")  # type: ignore[arg-type] # the mistakes
    assert [one.option for one in error.value.problems] == ["logger", "level"]
    nothing: Any = "spark"
    with pytest.raises(OptionsError, match="spark must be a session"), monitor(nothing):
        pass
