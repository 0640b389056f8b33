# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The extras of this package, which install optional libraries."""

from __future__ import annotations

import re

from deltasource._errors import MissingLibraryError


def missing_library(library: str, *, extra: str) -> MissingLibraryError:
    """Return the error for a library that is not installed; its message says how to install it."""
    return MissingLibraryError(
        f"{library} is not installed: {install_line(extra)} installs it, as the extra `{extra}` of "
        "deltasource does",
        name=library,
    )


def install_line(extra: str, *others: str) -> str:
    """Return the command that installs what an extra installs, and other libraries.

    It does not name this package, which may be installed from a file, under any path.
    """
    from importlib.metadata import requires

    ending = re.compile(rf"""; extra == ['"]{re.escape(extra)}['"]$""")
    needed = [ending.sub("", one) for one in requires("deltasource") or () if ending.search(one)]
    return " ".join(["pip install", *(f"'{one}'" for one in needed), *others])
