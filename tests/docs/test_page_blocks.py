# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The blocks of a page are found with their marks, and outputs are compared as documented."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import pytest

from support.page_runner import RUN, unmarked
from support.pages import MARKS, Block, blocks, outputs, same_output, with_outputs

ROOT: Final = Path(__file__).resolve().parents[2]
DOCS: Final = ROOT / "docs"
PAGES: Final = sorted(DOCS.rglob("*.md"))

ELSEWHERE: Final[Mapping[str, Mapping[str, str]]] = {
    "reference/monitoring.md": {"python": "tests/python/contract/test_readme.py"},
    "reference/watch-and-report.md": {
        "python": "tests/python/contract/test_watch_page.py",
        "bash": "tests/python/contract/test_watch_page.py",
    },
    "reference/prometheus-and-opentelemetry.md": {"yaml": "tests/python/unit/test_alerts.py"},
    "reference/checkpoints.md": {
        "python": "tests/python/contract/test_checkpoints_page.py",
        "bash": "tests/python/contract/test_checkpoints_page.py",
    },
    "reference/connect.md": {
        "python": "tests/python/spark/test_connect.py",
        "bash": "tests/python/spark/test_connect.py",
    },
    "reference/testing.md": {"python": "tests/python/spark/test_testing_page.py"},
}
"""Pages with tests of their own: which test runs the blocks of a language."""

PAGE = """# A

<!-- raises: OptionsError -->
```python
fail()
```

It prints

```text
OptionsError
```

```{toctree}
a
```

<!-- not run: needs a cluster -->
```bash
submit
```

```text
submitted
```

```yaml
a: 1
```
"""


def test_blocks_have_their_marks() -> None:
    """A comment above a block is its mark; a directive is not a block."""
    assert [(b.language, b.line, b.mark, b.value) for b in blocks(PAGE)] == [
        ("python", 4, "raises", "OptionsError"),
        ("text", 10, "", ""),
        ("bash", 19, "not run", "needs a cluster"),
        ("text", 23, "", ""),
        ("yaml", 27, "", ""),
    ]


def test_a_block_that_nothing_runs_needs_a_reason() -> None:
    """Text below a block of code is its output; a block of another language needs a mark."""
    assert [block.language for block in unmarked(blocks(PAGE))] == ["yaml"]
    assert unmarked([Block("text", "a\n", 1), Block("sql", "a\n", 5, "not run", "a table")]) == [
        Block("text", "a\n", 1)
    ]


@pytest.mark.parametrize(
    ("shown", "printed", "same"),
    [
        ("a \nb\n", "\na\nb   \n\n", True),
        ("a\n", "a\nb\n", False),
        ("", "a\n", False),
        ("a ... c\n", "a b c\n", True),
        ("a ... c\n", "a b\nc\n", False),
        ("a\n...\nc\n", "a\nb\nb\nc\n", True),
        ("a\n...\nc\n", "a\nc\n", True),
        ("a\n...\n", "a\n", True),
        ("...\nc\n", "a\nb\nc\n", True),
        ("a.b\n", "axb\n", False),
    ],
)
def test_dots_stand_for_anything(shown: str, printed: str, same: bool) -> None:
    """`...` stands for characters within a line; on a line of its own, for any lines."""
    assert same_output(shown, printed) is same


def test_outputs_are_replaced() -> None:
    """A page is updated where its blocks print something else; the rest stays as it is."""
    page = blocks(PAGE)
    line = outputs(page)[4].line
    updated = with_outputs(PAGE, {line: "one  \ntwo\n\n", page[3].line: "three\n"})
    assert [block.text for block in blocks(updated) if block.language == "text"] == [
        "one\ntwo\n",
        "three\n",
    ]
    assert with_outputs(PAGE, {}) == PAGE


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_every_block_of_a_page_is_run_or_has_a_reason(page: Path) -> None:
    """A mark is one of those known, and a block that nothing runs says why."""
    found = blocks(page.read_text(encoding="utf-8"))
    assert [block for block in found if block.mark not in ("", *MARKS)] == []
    run = ELSEWHERE.get(str(page.relative_to(DOCS)), RUN)
    assert unmarked(found, run) == []


@pytest.mark.parametrize("page", ELSEWHERE)
def test_pages_with_tests_of_their_own_are_named_there(page: str) -> None:
    """The test of such a page reads it."""
    for test in ELSEWHERE[page].values():
        assert page.rpartition("/")[2] in (ROOT / test).read_text(encoding="utf-8")


def test_no_page_has_conflict_markers() -> None:
    """A merge has left no line such as `=======` in the sources of the docs."""
    marker = re.compile(r"^(?:<{7}|={7}$|>{7})", re.MULTILINE)
    files = [*DOCS.rglob("*.*"), *ROOT.glob("*.md")]
    texts = [file for file in files if file.suffix in {".md", ".py", ".js", ".css", ".svg"}]
    assert len(texts) > len(PAGES)
    assert [file for file in texts if marker.search(file.read_text(encoding="utf-8"))] == []


def test_no_block_is_hidden_from_the_tests() -> None:
    """No page has an indented block, or one fenced with another sign: the tests see neither."""
    pages = [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    hidden = re.compile(r"^(?:[ \t>]+(?:```|~~~)|~~~|````)", re.MULTILINE)
    assert [page for page in pages if hidden.search(page.read_text(encoding="utf-8"))] == []
