# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Makes the pictures of docs/reference/monitoring.md again, from real streams.

It needs `jupyter nbconvert`, a kernel of this Python, and Chromium (CHROMIUM is its command).
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Final

from rich.console import Console

from deltasource import json_lines, monitor, read_events
from deltasource._cli.watch import with_events
from deltasource._views.terminal import draw
from demo import life, streams
from demo.__main__ import session

ROOT: Final = Path(__file__).parents[1]
PICTURES: Final = ("watch", "notebook", "report")
OUT: Final = ROOT / "docs" / "pictures"
WIDTH: Final = 860
REPORT: Final = (1160, 1580)
HIDDEN: Final = """\
from pathlib import Path
from deltasource import monitor, notebook_view
from demo import streams
from demo.__main__ import session
spark = session()
spark.sparkContext.setLogLevel("OFF")
folder = Path({folder!r})
streams.write_tables(spark, folder)
start, feed = (lambda: streams.start(spark, folder)), (lambda: streams.feed(spark, folder, seen))
"""
SHOWN: Final = (
    "with monitor(spark, notebook_view()) as seen:\n    start()\n    feed()",
    'seen["backfill"]',
)


def terminal(folder: Path) -> str:
    """Run the streams, and return what `watch` shows of their events as SVG."""
    spark = session()
    spark.sparkContext.setLogLevel("OFF")
    file = folder / "events.jsonl"
    try:
        streams.write_tables(spark, folder)
        with monitor(spark, json_lines(file)) as seen:
            streams.start(spark, folder)
            streams.feed(spark, folder, seen)
    finally:
        streams.stop(spark)
    summaries = with_events({}, list(read_events(file))).values()
    console = Console(record=True, width=80, file=io.StringIO())
    now = datetime.now(timezone.utc)
    console.print(draw(summaries, title=file.name, width=80, now=now), soft_wrap=True)
    # The picture ends at the baseline of its last line, which would cut off underscores.
    console.print()
    svg = console.export_svg(title="python -m deltasource watch events.jsonl")
    # Without the font of another server.
    return re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)


def notebook(folder: Path, png: Path) -> None:
    """Run a notebook, and take a picture of it in Chromium."""
    cells = [_cell(HIDDEN.format(folder=str(folder)), "hidden"), *map(_cell, SHOWN)]
    cells.append(_cell("streams.stop(spark)", "hidden"))
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    document = {
        "cells": cells,
        "metadata": {"kernelspec": kernel},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (folder / "live.ipynb").write_text(json.dumps(document), encoding="utf-8")
    convert = (sys.executable, "-m", "jupyter", "nbconvert", "live.ipynb")
    # Hidden cells are removed before a notebook is run.
    executed = ("--to", "notebook", "--inplace", "--execute")
    page = ("--to", "html", "--TagRemovePreprocessor.remove_cell_tags=hidden")
    for step in (executed, page):
        subprocess.run([*convert, *step], cwd=folder, check=True, env=_environment())
    _photograph(folder / "live.html", png, width=WIDTH, height=640)
    _crop(png)


def page(folder: Path, png: Path) -> None:
    """Let a stream live, and take a picture of its report in Chromium."""
    spark = session()
    spark.sparkContext.setLogLevel("OFF")
    try:
        life.live(spark, folder)
    finally:
        streams.stop(spark)
    command = ("-m", "deltasource", "report", "checkpoint", "./orders", "--events", "events.jsonl")
    subprocess.run([sys.executable, *command], cwd=folder, check=True, env=_environment())
    _photograph(folder / "report.html", png, width=REPORT[0], height=REPORT[1])
    _crop(png, colors=256)


def _environment() -> dict[str, str]:
    """Return the environment in which another folder can import the demo and the package."""
    paths = [str(ROOT), str(ROOT / "python" / "src"), os.environ.get("PYTHONPATH")]
    return os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}


def _photograph(html: Path, png: Path, *, width: int, height: int) -> None:
    subprocess.run(
        [
            os.environ.get("CHROMIUM", "chromium"),
            *("--headless", "--no-sandbox", "--hide-scrollbars", "--virtual-time-budget=5000"),
            f"--window-size={width},{height}",
            f"--screenshot={png}",
            str(html),
        ],
        check=True,
    )


def _cell(source: str, *tags: str) -> dict[str, object]:
    return {
        "cell_type": "code",
        "id": f"cell-{abs(hash(source))}"[:20],
        "metadata": {"tags": list(tags)},
        "source": source,
        "execution_count": None,
        "outputs": [],
    }


def _crop(png: Path, *, colors: int = 64) -> None:
    """Cut off the empty rest of a page, and keep some colors."""
    from PIL import Image, ImageChops

    page = Image.open(png).convert("RGB")
    empty = Image.new("RGB", page.size, page.getpixel((0, page.height - 1)))
    box = ImageChops.difference(page, empty).getbbox()
    end = page.height if box is None else min(page.height, box[3] + 16)
    page.crop((0, 0, page.width, end)).quantize(colors).save(png, optimize=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pictures."""
    parser = argparse.ArgumentParser(prog="demo.pictures", description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT, help="the folder of the pictures")
    parser.add_argument("--only", nargs=1, choices=PICTURES, help="only this one")
    chosen = parser.parse_args(arguments)
    out: Path = chosen.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    for name in chosen.only or PICTURES:
        with tempfile.TemporaryDirectory() as folder:
            if name == "watch":
                (out / "watch.svg").write_text(terminal(Path(folder)), encoding="utf-8")
            elif name == "report":
                page(Path(folder), out / "report.png")
            else:
                notebook(Path(folder), out / "notebook.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
