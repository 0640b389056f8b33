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
from demo import streams
from demo.__main__ import session

ROOT: Final = Path(__file__).parents[1]
OUT: Final = ROOT / "docs" / "pictures"
WIDTH: Final = 860
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
    svg = console.export_svg(title="python -m deltasource watch events.jsonl")
    # Without the font of another server; in others, underscores are below what is cut off.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return re.sub(r' clip-path="url\(#[\w-]*line-\d+\)"', "", svg)


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
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    for step in (executed, page):
        subprocess.run(
            [*convert, *step], cwd=folder, check=True, env=os.environ | {"PYTHONPATH": path}
        )
    subprocess.run(
        [
            os.environ.get("CHROMIUM", "chromium"),
            *("--headless", "--no-sandbox", "--hide-scrollbars", f"--window-size={WIDTH},640"),
            f"--screenshot={png}",
            str(folder / "live.html"),
        ],
        check=True,
    )
    _cropped(png)


def _cell(source: str, *tags: str) -> dict[str, object]:
    return {
        "cell_type": "code",
        "id": f"cell-{abs(hash(source))}"[:20],
        "metadata": {"tags": list(tags)},
        "source": source,
        "execution_count": None,
        "outputs": [],
    }


def _cropped(png: Path) -> None:
    """Cut off the empty rest of a page, and keep 64 colors."""
    from PIL import Image, ImageChops

    page = Image.open(png).convert("RGB")
    empty = Image.new("RGB", page.size, page.getpixel((0, page.height - 1)))
    box = ImageChops.difference(page, empty).getbbox()
    end = page.height if box is None else min(page.height, box[3] + 16)
    page.crop((0, 0, page.width, end)).quantize(64).save(png, optimize=True)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the pictures."""
    parser = argparse.ArgumentParser(prog="demo.pictures", description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT, help="the folder of the pictures")
    parser.add_argument("--only", nargs=1, choices=("watch", "notebook"), help="only this one")
    chosen = parser.parse_args(arguments)
    out: Path = chosen.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    for name in chosen.only or ("watch", "notebook"):
        with tempfile.TemporaryDirectory() as folder:
            if name == "watch":
                (out / "watch.svg").write_text(terminal(Path(folder)), encoding="utf-8")
            else:
                notebook(Path(folder), out / "notebook.png")
    return 0


if __name__ == "__main__":
    sys.exit(main())
