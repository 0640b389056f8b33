# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Draws the rows of each batch, and how long planning it took."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from demo.follow import Batch

BLUE, ORANGE, GREY, BAND = "#4878a8", "#d1783c", "#666666", "#eef2f7"


def draw(batches: Sequence[Batch], restart: int, path: Path) -> None:
    """Draw rows and planning time per batch into a PNG; `restart` is the first batch after it."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    numbers = range(1, len(batches) + 1)
    read = [batch.rows for batch in batches]
    figure, (rows, planning) = pyplot.subplots(
        2, 1, sharex=True, figsize=(10, 6), layout="constrained"
    )
    figure.suptitle(f"{sum(read):,} flights of New York in 2013, read by a stream", fontsize=14)
    rows.bar(numbers, read, color=BLUE, width=0.85)
    # Room for the labels.
    rows.set_ylim(0, max(read) * 1.3)
    rows.set_ylabel("rows in the batch")

    # The first plan takes a thousand times as long as most others, which take 0 ms or a few. So
    # the scale is logarithmic above 1 ms, and 0 ms is a dot, since a bar would be invisible.
    took = [batch.planning_ms for batch in batches]
    planning.plot(numbers, took, "o", color=ORANGE, ms=4)
    planning.set_yscale("symlog", linthresh=1, linscale=0.4)
    planning.set_ylim(-0.4, max(*took, 10) * 2)
    planning.set_ylabel("planning, ms\n(latestOffset + getBatch)")
    planning.set_xlabel("batch")
    planning.xaxis.set_major_locator(MaxNLocator(integer=True))

    # The first batch that ends outside the snapshot contains its last files.
    snapshot = sum(batch.in_snapshot for batch in batches) + 1.5
    for axes in (rows, planning):
        axes.axvspan(0.5, snapshot, color=BAND, zorder=0)
        axes.axvline(restart + 0.5, color=GREY, linestyle="--", linewidth=1)
        axes.yaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(axis="y", alpha=0.3)
        axes.set_axisbelow(True)
    rows.set_xlim(0.5, len(batches) + 0.5)
    for text, at, drop in (
        ("initial snapshot", 0.5, 12),
        ("stopped, restarted", restart + 0.5, 26),
    ):
        rows.annotate(
            text,
            xy=(at, 1),
            xycoords=("data", "axes fraction"),
            xytext=(4, -drop),
            textcoords="offset points",
            color=GREY,
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
