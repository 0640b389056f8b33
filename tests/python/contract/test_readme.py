# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The code of README and of the monitoring page runs when pasted.

Every Python block runs, in order and in one process; a text block right below one is its output.
Every line of a bash block runs in a folder with the Python blocks as `app.py`, except `make` lines,
whose targets must exist, and downloads and installs, which other tests run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pyspark
import pytest

from support.pages import Block, blocks, words

MARK = "### block "
NOT_RUN = ("cd ", "git clone ", "pip install ")


def printed(page: Sequence[Block], folder: Path) -> list[str]:
    """Run the Python blocks of a page in one process; return the output of each."""
    program = folder / "readme.py"
    codes = [f"print({f'{MARK}{number}'!r})\n{block.text}" for number, block in enumerate(page)]
    program.write_text("\n".join(codes), encoding="utf-8")
    output = run([sys.executable, str(program)], folder)
    return re.split(rf"^{MARK}\d+\n", output, flags=re.MULTILINE)[1:]


def run(command: Sequence[str], folder: Path) -> str:
    """Run a command in a folder, with our Python first on the PATH; return its output."""
    # Fewer shuffle partitions make Spark faster and show the same rows.
    conf = folder / "conf"
    conf.mkdir(exist_ok=True)
    settings = (
        "spark.sql.shuffle.partitions 2",
        "spark.databricks.delta.snapshotPartitions 2",
        "spark.ui.enabled false",
    )
    (conf / "spark-defaults.conf").write_text("\n".join(settings), encoding="utf-8")
    # Spark's script that finds it fails if a folder has a space in its name.
    home = str(Path(pyspark.__file__).parent)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=os.environ | {"PATH": path, "SPARK_HOME": home, "SPARK_CONF_DIR": str(conf)},
    )
    assert done.returncode == 0, done.stderr[-5000:]
    return done.stdout


@pytest.fixture(scope="module")
def readme(root: Path) -> list[Block]:
    """Return the blocks of the README."""
    return blocks((root / "README.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["README.md", "docs/reference/monitoring.md"])
def test_python_blocks_run_and_print_what_is_shown(name: str, root: Path, tmp_path: Path) -> None:
    """Each Python block runs after the ones before it, and prints the text shown below it."""
    whole = blocks((root / name).read_text(encoding="utf-8"))
    page = [block for block in whole if block.language == "python"]
    assert page, f"{name} has no ```python block"
    shown = {code.line: text for code, text in pairwise(whole) if text.language == "text"}
    assert shown, f"{name} shows no output of its code"
    for block, output in zip(page, printed(page, tmp_path), strict=True):
        if block.line in shown:
            assert words(output) == words(shown[block.line].text), f"{name}:{block.line}"


def test_bash_lines_run(readme: list[Block], root: Path, tmp_path: Path) -> None:
    """Each line of a bash block runs, and each `make` line names a target."""
    code = "".join(block.text for block in readme if block.language == "python")
    (tmp_path / "app.py").write_text(code, encoding="utf-8")
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):.*##", makefile, re.MULTILINE))
    lines = [line for block in readme if block.language == "bash" for line in words(block.text)]
    assert lines, "README.md has no ```bash block"
    for line in lines:
        if line.startswith("make "):
            assert line.split()[1] in targets
        elif not line.startswith(NOT_RUN):
            run(["bash", "-ec", line], tmp_path)


def test_blocks_are_found_with_their_lines() -> None:
    """A page is split into its blocks."""
    page = "# A\n\n```python\nx = 1\n```\nand\n```text\n1\n```\n```bash\nmake demo\n```\n"
    assert blocks(page) == [
        Block("python", "x = 1\n", 3),
        Block("text", "1\n", 7),
        Block("bash", "make demo\n", 10),
    ]


def test_blocks_run_in_order_in_one_process(tmp_path: Path) -> None:
    """A block sees the variables of the previous one, and its output is separate."""
    page = [Block("python", "x = 1\nprint(x)\n", 1), Block("python", "print(x + 1)\n", 5)]
    assert printed(page, tmp_path) == ["1\n", "2\n"]
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        printed([Block("python", "1 / 0\n", 1)], tmp_path)
