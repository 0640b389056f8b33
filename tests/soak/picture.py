# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Draws what the driver used over the hours."""

from collections.abc import Sequence
from pathlib import Path

from soak.flatness import RULES
from soak.sample import Sample

BLUE, GREY = "#4878a8", "#999999"


def draw(samples: Sequence[Sample], path: Path) -> None:
    """Draw each measure; a line marks where the driver was killed."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    lives = sorted({sample.life for sample in samples})
    kills = [min(one.hours for one in samples if one.life == life) for life in lives[1:]]
    figure, panels = pyplot.subplots(
        len(RULES), figsize=(10, 2 * len(RULES)), sharex=True, layout="constrained"
    )
    for panel, rule in zip(panels, RULES, strict=True):
        for life in lives:
            points = [
                (one.hours, one.uses[rule.name])
                for one in samples
                if one.life == life and rule.name in one.uses
            ]
            panel.plot(*zip(*points, strict=True), color=BLUE, linewidth=1)
        for kill in kills:
            panel.axvline(kill, color=GREY, linestyle="--", linewidth=1)
        panel.set_title(rule.unit, loc="left", fontsize=10)
        panel.set_ylim(bottom=0)
        panel.spines[["top", "right"]].set_visible(False)
    panels[-1].set_xlabel("hours; the driver was killed at each dashed line")
    figure.savefig(path)
    pyplot.close(figure)
