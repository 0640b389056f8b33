# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The command `explain-error`: prints the page of an error condition."""

from __future__ import annotations

import argparse
import posixpath
import re
from collections.abc import Mapping
from difflib import get_close_matches
from itertools import chain
from pathlib import Path
from typing import Final

from deltasource._cli.command import CommandResult, Commands
from deltasource._cli.drawing import can_draw, drawn

OURS: Final = "DELTASOURCE_"
NO_PAGE: Final = (
    "if it is a condition of Spark or Delta, its message says what happened. Without a condition, "
    "the command lists all that have a page"
)

_FILE: Final = Path(__file__)
# In a clone, the pages are not in the package.
_FOLDERS: Final = ("../../error_pages", "../../../../../docs/reference/errors")
_PREFIX: Final = re.compile(r"^DELTA(SOURCE)?_")
_SECTION: Final = re.compile(r"^### ([^\n]+)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
_ROW: Final = re.compile(r"^\| (`[A-Z_`, ]+`) \| (.*) \|$", re.MULTILINE)
_ANY: Final = "STREAM_FAILED"
_NAME: Final = re.compile(r"[A-Z][A-Z_]{6,}(?:\.[A-Z_]+)?")
_COMMENT: Final = re.compile(r"<!--.*?-->\n", re.DOTALL)
_LINK: Final = re.compile(r"\[([^]]+)\]\(([^)\s]+)\)")
_PAGES: Final = "reference/errors"


def add(commands: Commands) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "explain-error", help="print what an error condition means, and what to do"
    )
    parser.add_argument(
        "condition",
        type=_page,
        nargs="?",
        help="the condition, as in the error's message, such as DELTASOURCE_OTHER_TARGET; "
        f"{OURS} may be left out. Without it, all conditions that have a page are listed",
    )
    parser.set_defaults(run=_explain)


def _page(text: str) -> str:
    """Return the page of a condition, with the pages of its links."""
    pages = _pages()
    # A whole message may be given; Spark's own condition comes before the one that says more.
    names = [one for one in _NAME.findall(text.upper()) if one != _ANY]
    name = next((one for one in names if one in pages), names[0] if names else text.upper())
    page = pages.get(name) or pages.get(OURS + name) or _mentioning(name, pages)
    if page is None and _ANY in text.upper():
        raise argparse.ArgumentTypeError(
            f"{_ANY} is Spark's condition for any failure of a query: give the next condition in "
            "its message"
        )
    if page is None:
        # The prefixes would make every name resemble every other.
        known = {_PREFIX.sub("", one): one for one in pages}
        near = get_close_matches(_PREFIX.sub("", name), known, n=1, cutoff=0.75)
        hint = f"did you mean {known[near[0]]}?" if near else NO_PAGE
        raise argparse.ArgumentTypeError(f"there is no page for {text}: {hint}")
    return _LINK.sub(_without_link, _COMMENT.sub("", page)).strip()


def _mentioning(name: str, pages: Mapping[str, str]) -> str | None:
    """Return the page that says something about a condition that has none of its own."""
    if "_" not in name:
        return None
    whole = name.partition(".")[0]
    if whole in pages:
        return pages[whole]
    of_class = (one for one in pages if one.startswith(f"{name}."))
    saying = (one for one, text in pages.items() if f"`{name}`" in text)
    found = next(chain(of_class, saying), None)
    return None if found is None else pages[found]


def _pages() -> Mapping[str, str]:
    """Return the page of each condition; those of Delta have sections of one page."""
    folders = (Path(_FILE, relative).resolve() for relative in _FOLDERS)
    folder = next(one for one in folders if one.is_dir())
    ours = {one.stem: one.read_text(encoding="utf-8") for one in folder.glob(f"{OURS}*.md")}
    return {**ours, **_of_delta((folder / "delta.md").read_text(encoding="utf-8"))}


def _of_delta(page: str) -> Mapping[str, str]:
    """Return the section, or the row of a table, of each condition on the page of Delta's."""
    rows = [(names, f"\n{text}") for names, text in _ROW.findall(page)]
    # A heading in words is followed by its condition.
    sections = [(f"{title} {text[:60]}", text) for title, text in _SECTION.findall(page)]
    return {
        name: f"# {name}\n{text}"
        for title, text in rows + sections
        for name in _NAME.findall(title)
    }


def _without_link(link: re.Match[str]) -> str:
    """Return the text of a link, and the page of the docs that it leads to.

    A condition needs no page: this command prints it.
    """
    if _NAME.fullmatch(link[1].strip("`")):
        return link[1]
    page, _, part = posixpath.normpath(posixpath.join(_PAGES, link[2])).partition("#")
    return f"{link[1]} (docs: {page.removesuffix('.md')}{f', {part}' if part else ''})"


def _summary(page: str) -> str:
    """Return the first sentence of a page, as text."""
    body = _COMMENT.sub("", page).partition("\n")[2].strip()
    words = _LINK.sub(r"\1", " ".join(body.partition("\n\n")[0].split()))
    return words.partition(". ")[0].rstrip(".:")


def _explain(given: argparse.Namespace) -> CommandResult:
    page: str | None = given.condition
    if page is None:
        listed = sorted(_pages().items())
        return CommandResult("\n".join(f"{name}: {_summary(text)}" for name, text in listed))
    if not can_draw():
        return CommandResult(page)
    from rich.markdown import Markdown

    return CommandResult(drawn(Markdown(page)))
