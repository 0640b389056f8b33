# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The error for an unknown argument names the nearest one, also for the name of a Spark option.

It lists the invalid values of the other options, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import CO_VARARGS, signature
from typing import Any, ParamSpec, TypeVar, cast

from deltasource._errors import OptionsError
from deltasource._options import keys
from deltasource._text import short_repr
from deltasource._types import is_session

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


def with_keyword_hints(function: Callable[P, R]) -> Callable[P, R]:
    """Let a function raise a TypeError that suggests arguments for those that it does not have."""
    return _hinted(function, None)


def with_option_hints(options: type[Any]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Do the same for a function that takes options, and list those that are invalid, too."""
    return lambda function: _hinted(function, options)


def with_field_hints(of: type[T]) -> type[T]:
    """Do the same for the arguments of a dataclass."""
    of.__init__ = _hinted(of.__init__, of)  # type: ignore[method-assign]
    return of


def _hinted(function: Callable[P, R], options: type[Any] | None) -> Callable[P, R]:
    code = cast(Any, function).__code__
    known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    positional = code.co_varnames[: code.co_argcount]
    takes_more = bool(code.co_flags & CO_VARARGS)

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        unknown = [name for name in kwargs if name not in known]
        if unknown:
            mistakes = [_mistake(name, known) for name in unknown] + _invalid(options, kwargs)
            name = function.__qualname__.removesuffix(".__init__")
            raise TypeError(f"{name}(): {'; '.join(mistakes)}")
        if len(args) > len(positional) and not takes_more:
            raise TypeError(_too_many(function.__qualname__, positional, args))
        return function(*args, **kwargs)

    return call


def _too_many(function: str, positional: Sequence[str], given: Sequence[object]) -> str:
    """Return the error for arguments by position that are more than a function takes."""
    name = function.removesuffix(".__init__")
    first = ", ".join(one for one in positional if one != "self")
    if "spark" not in positional and is_session(given[0]):
        return f"{name}() does not take a session first: write {name}({first}, ...)"
    more = given[len(positional)]
    by_name = "options=..." if type(more).__name__.endswith("Options") else "name=value"
    taken = f"only {first} by position" if first else "no argument by position"
    return f"{name}() takes {taken}: give {short_repr(more)} as {by_name}"


def _invalid(options: type[Any] | None, given: Mapping[str, Any]) -> list[str]:
    """Return what is wrong with the values of the arguments that exist."""
    if options is None:
        return []
    fields = signature(options).parameters
    values = {name: given[name] for name in fields if given.get(name) is not None}
    if any(name not in values and field.default is field.empty for name, field in fields.items()):
        return []
    try:
        options(**values)
    except OptionsError as error:
        return [str(problem) for problem in error.problems]
    return []


def _mistake(name: str, known: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    arguments = {one: one for one in known if one != "self"}
    for options in (
        keys.WRITE_ARGUMENTS,
        keys.WRITE_METHODS,
        keys.APPLY_ARGUMENTS,
        keys.READ_ARGUMENTS,
    ):
        arguments |= {spark: ours for spark, ours in options.items() if ours in known}
    if "end" in known:
        arguments |= {keys.ENDING_VERSION: "end", keys.ENDING_TIMESTAMP: "end"}
    folded = {one.replace("_", "").lower(): ours for one, ours in arguments.items()}
    given = name.replace("_", "").lower()
    near = get_close_matches(given, folded, n=1, cutoff=0.7) or [
        one for one in folded if given in one
    ]
    if near:
        hint = f"did you mean {folded[near[0]]}?"
    elif "start" in known and keys.READ_ARGUMENTS.get(name, name) == "on_change":
        hint = "leave it out, because a change feed returns all changes"
    elif name in keys.FUNCTIONS:
        hint = f"leave it out, and call {keys.FUNCTIONS[name]}"
    else:
        hint = f"the arguments are {', '.join(one for one in known if one != 'self')}"
    return f"there is no argument {name}: {hint}"
