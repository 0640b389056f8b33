# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The live views of real queries: one in its initial snapshot, one that fails, one at its end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyspark.errors import StreamingQueryException
from pyspark.sql import DataFrame, SparkSession

from deltasource import Checkpoint, Event, json_lines, monitor, read_stream
from deltasource.__main__ import main
from deltasource._views.notebook import NotebookView
from deltasource._views.query_summary import QuerySummary


def test_real_queries_are_shown(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The terminal, the notebook and the displayed values show what the queries did."""
    table = tmp_path / "t"
    spark.range(0, 6, 1, 3).write.format("delta").save(str(table))

    def run(name: str, failing: int) -> None:
        def each(_: DataFrame, batch: int) -> None:
            if batch == failing:
                raise ValueError("no <amount>")

        rows = read_stream(spark, table, max_files=1)
        writer = rows.writeStream.foreachBatch(each).queryName(name).trigger(availableNow=True)
        writer.option("checkpointLocation", str(tmp_path / name)).start().awaitTermination()

    got: list[Event] = []
    texts: list[str] = []
    file = tmp_path / "events.jsonl"
    with monitor(spark, got.append, json_lines(file), NotebookView(texts.append)) as seen:
        run("done", -1)
        with pytest.raises(StreamingQueryException):
            run("broken", 2)

    of_broken = [one for one in got if one.name == "broken"]
    inside: QuerySummary | None = None
    for event in of_broken[:-1]:
        inside = QuerySummary.after(inside, event)
    assert inside is not None
    assert (inside.state, inside.batch_id, inside.snapshot_percent) == ("running", 1, 66.7)
    assert inside.snapshot_seconds_left is not None
    assert inside.snapshot_seconds_left > 0

    assert main(["watch", str(file), "--format", "json"]) == 0
    rows = {row["query"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    error = "[FOREACH_BATCH_USER_FUNCTION_ERROR] ValueError: no <amount>"
    assert {name: (row["state"], row["batch"], row["error"]) for name, row in rows.items()} == {
        "done": ("ended", 2, None),
        "broken": ("failed", 1, error),
    }
    assert ">ended<" in texts[-1]
    assert "ValueError: no &lt;amount&gt;" in texts[-1]

    checkpoint = Checkpoint(tmp_path / "broken")
    shown = (seen["broken"], seen["broken"][-1], checkpoint, checkpoint.backlog(table))
    history, progress, batches, lag = (one._repr_html_() for one in shown)
    assert history.count("<g>") == 2
    assert "66.7 % of the snapshot" in progress
    assert ">no</span>" in batches
    assert "versions behind" in lag
