# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""An error from the JVM as plain values."""

from typing import Any

from py4j.protocol import Py4JError

OURS = "org.apache.spark.sql.delta.stream."


def describe(phase: str, error: Any) -> dict[str, Any]:
    """Describes what a side failed with: a Java exception, or a Python one that wraps a Java one.

    An error of Python alone is a fault of the harness and is raised again. Both sides have it
    alike, so as a result it would look as if they agreed.
    """
    java = error
    if isinstance(error, BaseException):
        java = getattr(error, "_origin", None) or getattr(error, "java_exception", None)
    if java is None:
        raise error
    condition, state, parameters = known(java)
    return {
        "phase": phase,
        "kind": kind(java.getClass()),
        "condition": condition,
        "state": state,
        "parameters": parameters,
        "message": message(java),
    }


def kind(java_class: Any) -> str:
    """The nearest class that is not ours: a handler of that class works on both sides."""
    while java_class.getName().startswith(OURS):
        java_class = java_class.getSuperclass()
    return str(java_class.getName())


def message(java: Any) -> Any:
    """The message, without what ours adds to one of Delta's."""
    text = java.getMessage()
    longer = java.getClass().getName().startswith(f"{OURS}model.ExplainedDeltaError")
    return text.removesuffix(java.added()) if longer else text


def known(java: Any) -> tuple[str | None, str | None, dict[str, str | None]]:
    """The result of a SparkThrowable's method; None for other errors, which lack it."""
    try:
        return java.getCondition(), java.getSqlState(), dict(java.getMessageParameters())
    except Py4JError:
        return None, None, {}
