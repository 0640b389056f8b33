# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Options given as keywords of a function, instead of or in addition to an options object."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar

from deltasource._errors import OptionsError
from deltasource._invalid_option import InvalidOption
from deltasource._options.start import Latest, Snapshot, Start, Time, Version, is_time, is_version
from deltasource._text import HIDDEN

if TYPE_CHECKING:
    from deltasource._options.read_options import ReadOptions
    from deltasource._options.write_options import WriteOptions

O = TypeVar("O", "ReadOptions", "WriteOptions")  # noqa: E741 - for options

StartLike: TypeAlias = Start | int | datetime | Literal["snapshot", "latest"]
"""A start, or a short form of it: a version, a time with a time zone, "snapshot" or "latest"."""


def with_keywords(options: O, kind: type[O], **keywords: object) -> O:
    """Return options in which the keywords that are not None replace the fields of their names."""
    if not isinstance(options, kind):
        # The value is not shown: a dict of options may contain secrets.
        allowed = f"must be {kind.__name__}(...), or give its arguments to the function"
        raise OptionsError([InvalidOption("options", HIDDEN, allowed)])
    given: dict[str, Any] = {name: one for name, one in keywords.items() if one is not None}
    return replace(options, **given) if given else options


def to_start(start: StartLike | None) -> Start | None:
    """Return the start that a short form stands for; what is none is left to ReadOptions."""
    match start:
        case "snapshot":
            return Snapshot()
        case "latest":
            return Latest()
        case number if is_version(number):
            return Version(number)
        case time if is_time(time):
            return Time(time)
        case _:
            return start  # type: ignore[return-value] # ReadOptions refuses it with the others
