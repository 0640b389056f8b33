# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Every public name is documented in Google style, with an example that runs.

An example that needs Spark or a table is marked `# doctest: +SKIP`: it must compile, and every
public name that it takes from `deltasource` must exist.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import doctest
import inspect
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

import deltasource
from deltasource import DeltaSourceError

# Their conditions need no examples: all would be alike.
ERRORS: Final = {
    name
    for name, value in vars(deltasource).items()
    if inspect.isclass(value) and issubclass(value, DeltaSourceError)
} - {"DeltaSourceError"}
RECEIVERS: Final = ("self", "cls")


def documented() -> Iterator[tuple[str, Any]]:
    """Return every public class and function, and every public method, by its name."""
    for name in deltasource.__all__:
        value = getattr(deltasource, name)
        # A Protocol is a class, a type alias is not.
        if getattr(value, "__module__", "").startswith("deltasource"):
            yield name, value
        if inspect.isclass(value):
            for member, function in vars(value).items():
                if not member.startswith("_") and callable(getattr(value, member)):
                    yield f"{name}.{member}", getattr(function, "__func__", function)


DOCUMENTED: Final = {
    name: value
    for name, value in documented()
    if name not in ERRORS - {"OptionsError"} and (inspect.isclass(value) or callable(value))
}


def section(text: str, title: str) -> str:
    """Return a section of a docstring, or nothing."""
    found = re.search(rf"^{title}:\n((?:[ ]+.*\n?|\n)+)", text, re.MULTILINE)
    return found[1] if found else ""


def examples(name: str) -> list[doctest.Example]:
    return doctest.DocTestParser().get_examples(inspect.getdoc(DOCUMENTED[name]) or "")


def test_names_are_found() -> None:
    """The tests below cover all public names, including methods."""
    assert {"read_stream", "Checkpoint", "Checkpoint.backlog", "ReadOptions.from_dict"} <= set(
        DOCUMENTED
    )


@pytest.mark.parametrize("name", DOCUMENTED)
def test_every_argument_is_documented(name: str) -> None:
    """Each argument of a function and each field of a class, or of its base, is under `Args:`."""
    value = DOCUMENTED[name]
    enumeration = inspect.isclass(value) and issubclass(value, str)
    protocol = getattr(value, "_is_protocol", False)
    if enumeration or protocol or value is DeltaSourceError:
        return
    arguments = [one for one in inspect.signature(value).parameters if one not in RECEIVERS]
    if dataclasses.is_dataclass(value):
        arguments = [field.name for field in dataclasses.fields(value)]
    bases = value.__mro__ if inspect.isclass(value) else [value]
    text = "\n".join(section(inspect.getdoc(one) or "", "Args") for one in bases)
    assert [one for one in arguments if not re.search(rf"^ +{one}: ", text, re.MULTILINE)] == []


@pytest.mark.parametrize("name", DOCUMENTED)
def test_what_is_returned_is_documented(name: str) -> None:
    """Each function that returns a value has `Returns:` or `Yields:`."""
    value = DOCUMENTED[name]
    if inspect.isclass(value) or inspect.signature(value).return_annotation in ("None", None):
        return
    text = inspect.getdoc(value) or ""
    assert section(text, "Returns") or section(text, "Yields")


@pytest.mark.parametrize("name", DOCUMENTED)
def test_named_errors_exist(name: str) -> None:
    """Each error under `Raises:` is one of ours, or Spark's own."""
    text = section(inspect.getdoc(DOCUMENTED[name]) or "", "Raises")
    errors = re.findall(r"^ {4}(\w+): ", text, re.MULTILINE)
    assert bool(errors) == bool(text)
    assert set(errors) - {"StreamingQueryException"} <= ERRORS


@pytest.mark.parametrize("name", DOCUMENTED)
def test_there_is_an_example(name: str) -> None:
    """Each docstring has an example."""
    assert examples(name), f"{name} has no example"


@pytest.mark.parametrize("name", DOCUMENTED)
def test_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each example runs and prints what it shows, or compiles if it needs Spark."""
    monkeypatch.chdir(tmp_path)
    public = {one: getattr(deltasource, one) for one in deltasource.__all__}
    test = doctest.DocTest(examples(name), {**public}, name, None, None, None)
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        runner.run(test)
    assert runner.failures == 0, output.getvalue()
    for example in examples(name):
        for node in ast.walk(ast.parse(example.source)):
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "deltasource":
                assert node.attr in deltasource.__all__
