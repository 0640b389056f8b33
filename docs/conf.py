# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The site that `make docs` builds from these pages and from the docstrings of the package."""

from __future__ import annotations

import json
import re
import sys
from enum import Enum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx import addnodes
from sphinx.pycode import ModuleAnalyzer

import deltasource
import deltasource.testing

if TYPE_CHECKING:
    from sphinx.addnodes import pending_xref
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
HOME = "https://github.com/deltasource/deltasource"
REPOSITORY = f"{HOME}/blob/main"
ERRORS = "reference/errors"
OPTIONS = "reference/options"

project = "deltasource"
author = "The deltasource authors"
project_copyright = "2026 The deltasource authors"
version = release = (ROOT / "VERSION").read_text(encoding="utf-8").strip()

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "sphinx_codeautolink",
    "sphinxext.opengraph",
]
# An error in a page fails the build. What is not ours has no page here.
nitpicky = True
nitpick_ignore_regex = [("py:.*", r"(?!deltasource\.(?!_)).*")]

myst_enable_extensions = ["tasklist"]
myst_heading_anchors = 3
# Names in the examples of a page link to the API; later blocks use the imports of earlier ones.
codeautolink_concat_default = True
# Quotes and dashes in examples stay what a user has to type.
smartquotes = False

# Docstrings put code between single backticks, as the pages do.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 80
napoleon_numpy_docstring = False
napoleon_use_rtype = False

# What search engines and chats show of a page: its first sentences.
ogp_site_url = "https://deltasource.github.io/deltasource/"
ogp_social_cards = {"enable": False}

html_theme = "furo"
html_logo = html_favicon = "_static/logo.svg"
html_title = f"deltasource {release}"
# Delete this when a version is on PyPI.
html_theme_options = {
    "announcement": f'Not on PyPI yet: run <code>make wheel</code> in a clone of <a href="{HOME}">'
    "the repository</a> and <code>export PIP_FIND_LINKS=CLONE/python/dist</code>, and the install "
    "lines of these pages work.",
    "footer_icons": [{"name": "The repository", "url": HOME, "html": "repository"}],
}
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_search_scorer = str(DOCS / "_static" / "scorer.js")
html_copy_source = False
html_show_sphinx = False
# Copies neither prompts nor output.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
copybutton_selector = "div:not(.highlight-text) > div.highlight > pre"


def link_to_repository(_: Sphinx, page: str, source: list[str]) -> None:
    """Let links to files outside this folder point to the repository, whose files they name.

    A page that includes such a file has the links of that file.
    """
    folder = (DOCS / page).parent

    def included(directive: re.Match[str]) -> str:
        text = (folder / directive["file"]).read_text(encoding="utf-8")
        base = directive["file"].rpartition("/")[0]
        return re.sub(r"\]\((?!https?:|#)", f"]({base}/", text)

    def absolute(link: re.Match[str]) -> str:
        file = (folder / link["file"]).resolve()
        # Pictures are copied into the site.
        if link["picture"] or file.is_relative_to(DOCS):
            return link[0]
        if not file.exists():
            raise FileNotFoundError(f"{page}.md links to {link['file']}, which does not exist")
        return f"]({REPOSITORY}/{file.relative_to(ROOT)}{link['anchor'] or ''})"

    links = r"(?P<picture>!\[[^\]]*)?\]\((?P<file>\.\.[^)#]*)(?P<anchor>#[^)]*)?\)"
    text = re.sub(r"```\{include\} (?P<file>\.\./\S+)\n```\n", included, source[0])
    source[0] = re.sub(links, absolute, text)


def name_as_imported(*modules: Any) -> None:
    """Let public classes and functions have the module that users import them from."""
    for module in modules:
        for name in module.__all__:
            value = getattr(module, name)
            if str(getattr(value, "__module__", "")).startswith("deltasource."):
                value.__module__ = module.__name__


def document_alias(_: Sphinx, kind: str, name: str, value: Any, __: Any, lines: list[str]) -> None:
    """Show the text below an alias where it is defined: its own docstring is that of its type."""
    if kind == "data":
        alias = name.rpartition(".")[2]
        modules = [
            module
            for module, content in sys.modules.items()
            if module.startswith("deltasource.") and vars(content).get(alias) is value
        ]
        found = [ModuleAnalyzer.for_module(module).find_attr_docs() for module in modules]
        lines[:] = next(docs["", alias] for docs in found if ("", alias) in docs)


def trim_doctest_flags_early(_: Sphinx, *given: Any) -> None:
    """Remove `# doctest: +SKIP`, which Sphinx would remove too late for the links in examples."""
    lines = given[-1]
    lines[:] = [re.sub(r"\s*# doctest:.*", "", line) for line in lines]


def link_to_pages(_: Sphinx, kind: str, __: str, value: Any, ___: Any, lines: list[str]) -> None:
    """Link the pages that docstrings name, and the condition of an error."""
    lines[:] = [re.sub(r"\bdocs/([\w/-]+)\.md\b", r":doc:`/\1`", line) for line in lines]
    if kind == "exception" and value is not deltasource.DeltaSourceError:
        own = value.condition.startswith("DELTASOURCE_")
        page = value.condition if own else "delta"
        lines += ["", f"Condition: :doc:`{value.condition} </reference/errors/{page}>`", ""]


def link_to_alias(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, text: nodes.Element
) -> nodes.Element | None:
    """Link an alias in a signature, which Sphinx looks for among the classes."""
    if node.get("reftype") != "class":
        return None
    name = f"deltasource.{node['reftarget'].rpartition('.')[2]}"
    domain = env.get_domain("py")
    return domain.resolve_xref(env, node["refdoc"], app.builder, "data", name, node, text)


@cache
def anchors() -> dict[str, tuple[str, str]]:
    """Return the page and the anchor of each condition and of each option."""
    found = {
        page.stem: (f"{ERRORS}/{page.stem}", "") for page in (DOCS / ERRORS).glob("DELTASOURCE_*")
    }
    delta = (DOCS / ERRORS / "delta.md").read_text(encoding="utf-8")
    for name in re.findall(r"^### (\w+)$", delta, re.MULTILINE):
        found[name] = (f"{ERRORS}/delta", f"#{name.lower().replace('_', '-')}")
    options = (DOCS / f"{OPTIONS}.md").read_text(encoding="utf-8")
    for anchor, name in re.findall(r'<a id="(\w+)"></a>`(\w+)`', options):
        found[name] = (OPTIONS, f"#{anchor}")
    return found


def link_names(app: Sphinx, tree: nodes.document, page: str) -> None:
    """Let each condition and option link to where it is described, except on that page."""
    known = anchors()
    for code in list(tree.findall(nodes.literal)):
        target, anchor = known.get(code.astext(), (page, ""))
        inside = (code.parent, code.parent.parent)
        if target == page or any(isinstance(one, nodes.reference | nodes.title) for one in inside):
            continue
        link = nodes.reference(refuri=app.builder.get_relative_uri(page, target) + anchor)
        code.replace_self(link)
        link += code


def break_long_names(_: Sphinx, __: str, ___: str, context: dict[str, Any], ____: object) -> None:
    """Let a browser break a long name after each `_` and `=`.

    Not in the tree of the page, where the search would find only the parts.
    """

    def broken(code: re.Match[str]) -> str:
        parts = re.split(r"(?<=[_=])(?=\w)", code[1])
        return f'<span class="pre">{"<wbr>".join(parts) if len(parts) > 2 else code[1]}</span>'

    if body := context.get("body"):
        context["body"] = re.sub(r'<span class="pre">([^<]+)</span>', broken, body)


@cache
def search_words() -> dict[str, list[str]]:
    """Return what people search for by page, if other words are on the page."""
    words: dict[str, list[str]] = json.loads((DOCS / "search_words.json").read_text("utf-8"))
    return words


def add_search_words(_: Sphinx, tree: nodes.document, page: str) -> None:
    """Let the search find a page by more words: a whole query, or some of its words."""
    phrases = search_words().get(page, [])
    if phrases:
        entries = [("single", phrase, "", "main", None) for phrase in phrases]
        words = sorted({word for phrase in phrases for word in phrase.split()})
        tree += addnodes.index(entries=entries)
        tree += nodes.meta("", name="keywords", content=", ".join(words))


def with_valid_default(_: Sphinx, *given: Any) -> tuple[str | None, str | None]:
    """Write the default of a dataclass' field as Python; otherwise no type is shown as a link.

    An enum has no signature that a user needs.
    """
    value, (signature, returned) = given[2], given[-2:]
    if isinstance(value, type) and issubclass(value, Enum):
        return "", None
    return signature and signature.replace("<factory>", "..."), returned


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    name_as_imported(deltasource.testing, deltasource)
    app.connect("autodoc-process-docstring", document_alias)
    app.connect("autodoc-process-docstring", link_to_pages)
    app.connect("autodoc-process-docstring", trim_doctest_flags_early)
    app.connect("autodoc-process-signature", with_valid_default)
    app.connect("doctree-resolved", link_names)
    app.connect("doctree-resolved", add_search_words)
    app.connect("html-page-context", break_long_names)
    app.connect("missing-reference", link_to_alias)
    app.connect("source-read", link_to_repository)
