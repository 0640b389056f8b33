# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The extras of this package, which install optional libraries."""

from __future__ import annotations

from deltasource._errors import MissingLibraryError
from deltasource._session.bundle import package_version


def missing_library(library: str, *, extra: str) -> MissingLibraryError:
    """Return the error for a library that is not installed; its message says how to install it."""
    wheel = f"python/dist/deltasource-{package_version()}-py3-none-any.whl"
    return MissingLibraryError(
        f"{library} is not installed: pip install '{wheel}[{extra}]' installs it",
        name=library,
    )
