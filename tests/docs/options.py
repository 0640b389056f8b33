# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Renders the tables of options.md from the table of options that the jar carries."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

RESOURCE: Final = "META-INF/deltasource/options.json"
"""The name of the table in the jar."""

SOURCE: Final = f"jvm/src/main/resources/{RESOURCE}"
"""The same in the repository."""


USUAL: Final = "DELTA_ILLEGAL_OPTION"
"""What most options give for a wrong value."""


@dataclass(frozen=True, kw_only=True)
class Option:
    """One row: an option of a reader or a writer, or a session conf."""

    name: str
    type: str
    default: bool | int | str | None
    meaning: str
    python: Sequence[str] = ()
    old_name_of: str | None = None
    least: int | None = None
    by_default: str | None = None
    see: str | None = None
    errors: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def fields(self) -> Sequence[str]:
        """What Python calls it, without a value."""
        return [text.split("=")[0] for text in self.python]


@dataclass(frozen=True)
class Options:
    """The whole table: what a type allows, and the rows of each section."""

    types: Mapping[str, str]
    sections: Mapping[str, Sequence[Option]]


def read(text: str | bytes) -> Options:
    """Read the table; a key that no row may have, or a lacking one, is an error."""
    sections = json.loads(text)
    types = sections.pop("types")
    return Options(types, {name: [Option(**row) for row in of] for name, of in sections.items()})


def page(text: str, options: Options) -> str:
    """Put the tables in where the page says `<!-- options.json: SECTION -->`."""

    def table(found: re.Match[str]) -> str:
        return found[1] + _table(options, found[2])

    return re.sub(r"(<!-- options\.json: (\w+) -->\n\n)(?:\|.*\n)*", table, text)


Cell = Callable[[Options, Option], str]


def _table(options: Options, section: str) -> str:
    columns = COLUMNS[section]
    rows = [[cell(options, row) for cell in columns.values()] for row in options.sections[section]]
    lines = [list(columns), ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _name(_: Options, option: Option) -> str:
    # The anchor is for links to one option: options.html#maxfilespertrigger.
    return f'<a id="{option.name.lower()}"></a>`{option.name}`'


def _python(_: Options, option: Option) -> str:
    return ", ".join(f"`{text}`" for text in option.python) or "none"


def _use(options: Options, option: Option) -> str:
    return _python(options, option) if option.python else "Spark's batch reader"


def _type(options: Options, option: Option) -> str:
    allowed = options.types[option.type]
    return allowed if option.least is None else f"{allowed}; at least {option.least}"


def _default(_: Options, option: Option) -> str:
    match option.default:
        case None:
            # What happens without a value says more than "none".
            return option.by_default or "none"
        case bool(flag):
            value = f"`{str(flag).lower()}`"
        case int(number):
            value = str(number)
        case text:
            value = f"`{text}`"
    return value if option.by_default is None else f"{value}; {option.by_default}"


def _meaning(_: Options, option: Option) -> str:
    text = option.meaning
    if option.old_name_of:
        text = f"an old name for `{option.old_name_of}`; {text}"
    if option.see:
        link = option.see.replace("docs/", "../")
        title = re.sub(r".*/[0-9-]*|\.md$", "", link).replace("-", " ")
        text += f" ([{title}]({link}))"
    return text


def _meaning_and_errors(options: Options, option: Option) -> str:
    # Where nothing is said, it is what a wrong value gives; the page says once what most give.
    told = [
        f"{when or 'a wrong value'}: `{name}`"
        for name, when in option.errors.items()
        if when or name != USUAL
    ]
    return ". ".join([_meaning(options, option), *(f"{one[0].upper()}{one[1:]}" for one in told)])


COLUMNS: Final[Mapping[str, Mapping[str, Cell]]] = {
    "reader": {
        "Spark": _name,
        "Python": _python,
        "value": _type,
        "default": _default,
        "meaning": _meaning_and_errors,
    },
    "functions": {
        "Spark": _name,
        "use": _use,
        "value": _type,
        "default": _default,
        "meaning": _meaning_and_errors,
    },
    "writer": {
        "Spark": _name,
        "field of `WriteOptions`": _python,
        "value": _type,
        "default": _default,
        "meaning": _meaning,
    },
    "confs": {"conf": _name, "value": _type, "default": _default, "meaning": _meaning},
}
"""The columns of each section's table, by their heads."""
