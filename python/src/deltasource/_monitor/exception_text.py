# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The condition and the message in the text of an exception of Spark."""

from __future__ import annotations

import re
from itertools import takewhile
from textwrap import shorten
from typing import Final

# As Spark formats the exception of a query when it raises it, when the query returns it, and when
# the query returns it over Connect. There the condition is only in the text.
_ANY: Final = "STREAM_FAILED"
_CONDITION: Final = re.compile(
    rf"(?:\[{_ANY}\] Query \[[^\]]*\] terminated with exception: |\({_ANY}\) )?"
    r"\[([A-Z0-9_.]+)\]"
)
_OWN_CONDITION: Final = re.compile(r"^\[[A-Z0-9_.]+\]\s*")
_JAVA_CLASSES: Final = re.compile(r"(?:(?:[a-z_]\w*\.)+[A-Z][\w$]*: )+")
_JAVA_CLASS: Final = re.compile(r"(?:[a-z_]\w*\.)+([A-Z][\w$]*)")
_STACK: Final = re.compile(r"^\s+at [\w.$/<>]+\(|^Caused by: ", re.MULTILINE)
_LONGEST: Final = 1000
_TRACEBACK: Final = "Traceback (most recent call last):\n"


def condition_in(text: str) -> str | None:
    """Return the error condition in the message of an exception, also after its Java classes.

    For a query, this is the condition of the cause: that of the query's own exception says nothing.
    """
    found = _CONDITION.match(without_classes(text))
    return None if found is None or found[1] == _ANY else found[1]


def without_classes(text: str) -> str:
    """Remove the Java classes that an exception is printed with before its message."""
    classes = _JAVA_CLASSES.match(text)
    return text if classes is None else text[classes.end() :]


def one_line(text: str) -> str:
    """Return what an exception says in one line, without its condition and without Java classes.

    Longer ones are shortened.

    If Python code has raised it, this is what Python prints at the end of the traceback.
    """
    message = without_classes(text)
    stack = _STACK.search(message)
    message = message if stack is None else message[: stack.start()]
    # The sections that begin so show the query, not what happened.
    lines = takewhile(lambda line: not line.startswith("=="), message.strip().splitlines())
    joined = " ".join(" ".join(lines).split())
    joined = _OWN_CONDITION.sub("", joined)
    bare = _JAVA_CLASS.fullmatch(joined)
    text = joined if bare is None else bare[1]
    return _raised_by_python(message) or shorten(text, _LONGEST, placeholder=" ...")


def _raised_by_python(message: str) -> str | None:
    """Return the first line after the frames of the last traceback."""
    _, found, traceback = message.rpartition(_TRACEBACK)
    after = (line.rstrip() for line in traceback.splitlines() if line[:1].strip())
    return next(after, None) if found else None
