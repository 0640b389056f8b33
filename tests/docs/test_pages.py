# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The code of all pages runs as shown, but of those that have tests of their own.

Blocks run in order, and print what the page shows; `support.pages` says what the marks mean.
`UPDATE=1` writes what they printed into the page.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.test_page_blocks import DOCS, ELSEWHERE, PAGES
from support.page_runner import PageRunner, is_run
from support.pages import blocks

RUN = [
    page
    for page in PAGES
    if str(page.relative_to(DOCS)) not in ELSEWHERE
    and any(is_run(block) for block in blocks(page.read_text(encoding="utf-8")))
]


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageRunner]:
    """Return what runs the pages, in a session that all of them share."""
    pages = PageRunner(tmp_path_factory.mktemp("pages"))
    yield pages
    pages.close()


@pytest.mark.parametrize("page", RUN, ids=lambda page: str(page.relative_to(DOCS)))
def test_the_blocks_of_a_page_run_and_print_what_is_shown(page: Path, runner: PageRunner) -> None:
    """Each block runs after the ones before it, and prints the text below it."""
    text, wrong = runner.run(page)
    if os.environ.get("UPDATE"):
        page.write_text(text, encoding="utf-8")
    assert wrong == [], "\n".join(wrong)
