# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Options given as keywords of a function, instead of or in addition to an options object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from deltasource._errors import OptionsError
from deltasource._invalid_option import InvalidOption
from deltasource._text import HIDDEN

if TYPE_CHECKING:
    from deltasource._options.read_options import ReadOptions
    from deltasource._options.write_options import WriteOptions

O = TypeVar("O", "ReadOptions", "WriteOptions")  # noqa: E741 - for options


def with_keywords(options: O, kind: type[O], **keywords: object) -> O:
    """Return options in which the keywords that are not None replace the fields of their names."""
    if not isinstance(options, kind):
        # The value is not shown: a dict of options may contain secrets.
        allowed = f"must be {kind.__name__}(...), or give its arguments to the function"
        if isinstance(options, Mapping) and hasattr(kind, "from_dict"):
            allowed += f"; {kind.__name__}.from_dict(...) takes options under Spark's names"
        raise OptionsError([InvalidOption("options", HIDDEN, allowed)])
    given: dict[str, Any] = {name: one for name, one in keywords.items() if one is not None}
    return replace(options, **given) if given else options
