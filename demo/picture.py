# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The picture: what each batch read, and what it took to plan it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from demo.follow import Batch


def draw(batches: Sequence[Batch], restart: int, path: Path) -> None:
    """Draw rows and planning time per batch into a PNG; `restart` is the first batch after it."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    numbers = range(len(batches))
    figure, (rows, planning) = pyplot.subplots(
        2, 1, sharex=True, figsize=(10, 6), layout="constrained"
    )
    figure.suptitle("Flights of New York 2013, followed by a stream", fontsize=14)
    rows.bar(numbers, [batch.rows for batch in batches], color="#4878a8", width=0.85)
    rows.set_ylabel("rows in the batch")
    planning.bar(numbers, [batch.planning_ms for batch in batches], color="#d1783c", width=0.85)
    planning.set_ylabel("planning, ms\n(latestOffset + getBatch)")
    planning.set_xlabel("batch")
    for axes in (rows, planning):
        axes.axvline(restart - 0.5, color="#777777", linestyle="--", linewidth=1)
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", alpha=0.3)
        axes.set_axisbelow(True)
    rows.annotate(
        "stopped and restarted",
        xy=(restart - 0.5, 1),
        xycoords=("data", "axes fraction"),
        xytext=(4, -12),
        textcoords="offset points",
        color="#777777",
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
