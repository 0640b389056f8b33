# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Regular expressions that are refused before a stream starts."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable
from typing import Any

import pytest

import deltasource
from deltasource import OptionsError, ReadOptions
from deltasource._options.java_regex import regex_mistake
from deltasource._read.excluded_files import require_java_regex
from deltasource._session import jvm

MISTAKES = {
    "part=(a|b": "( at index 5 is not closed",
    "((a)": "( at index 0 is not closed",
    "a)": ") at index 1 closes nothing",
    "[abc": "[ at index 0 is not closed",
    "x[]": "[ at index 1 is not closed",
    "[^]": "[ at index 0 is not closed",
    "*.parquet": "* at index 0 repeats nothing",
    "a|+b": "+ at index 2 repeats nothing",
    "(?:a)(?b": "( at index 5 is not closed",
    "a\\": "\\ at index 1 escapes nothing",
}
LEFT_TO_JAVA = (
    *("a*+b", "[[a](]", "[a[(]b]", "[a-z&&[^(]]", r"\Q(\E", r"\c(", "(?x) a # (", "^*", "x{,3}"),
    *(r"\(", "[(]", "[]()]", r"[\](]", r"\p{Alpha}(?<year>\d+)(?=-)", "(?i)a?", "a{2}", "]", "}"),
    *("(?#(", "[[a"),
)


@pytest.mark.parametrize(("pattern", "mistake"), MISTAKES.items())
def test_a_mistake_is_found_with_its_index(pattern: str, mistake: str) -> None:
    """What is wrong for Java is wrong for Python as well."""
    assert regex_mistake(pattern) == mistake
    with pytest.raises(re.error):
        re.compile(pattern)


@pytest.mark.parametrize("pattern", LEFT_TO_JAVA)
def test_what_only_java_can_judge_is_accepted(pattern: str) -> None:
    """Java has possessive quantifiers, quotations and classes in classes, among others."""
    assert regex_mistake(pattern) is None
    assert ReadOptions(exclude_regex=pattern).exclude_regex == pattern


def test_it_is_reported_with_the_other_mistakes() -> None:
    """One error has all of them, for options of this package and under Spark's names."""
    wrong: tuple[Callable[[], ReadOptions], ...] = (
        lambda: ReadOptions(max_files=0, exclude_regex="a("),
        lambda: ReadOptions.from_dict({"maxFilesPerTrigger": "0", "excludeRegex": "a("}),
    )
    for create in wrong:
        with pytest.raises(OptionsError) as error:
            create()
        assert len(error.value.problems) == 2
        assert str(error.value.problems[1]).split(" ", 1)[1] == (
            "must be a Java regular expression that is not empty: ( at index 1 is not closed, "
            "got 'a('"
        )


class Java:
    """A fake session, whose Java accepts one pattern."""

    def compile_regex(self, pattern: str) -> None:
        if pattern != "fine":
            raise OSError(errno.EINVAL, "Illegal repetition near index 2\nx{,3}\n  ^", pattern)


def java(_: object) -> Java:
    """Take any session for that one."""
    return Java()


def test_a_classic_session_asks_java(monkeypatch: pytest.MonkeyPatch) -> None:
    """Delta compiles a pattern only when the query runs, and does not say what is wrong."""
    session: Any = None
    require_java_regex(session, "x{,3}")
    monkeypatch.setattr(jvm, "classic_session", java)
    require_java_regex(session, "fine")
    require_java_regex(session, None)
    with pytest.raises(deltasource.OptionsError) as error:
        require_java_regex(session, "x{,3}")
    assert str(error.value.problems[0]) == (
        "exclude_regex must be a Java regular expression that is not empty: "
        "Illegal repetition near index 2, got 'x{,3}'"
    )
