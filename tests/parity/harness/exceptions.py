# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""An error from the JVM or from Python as plain values."""

from typing import Any

from py4j.protocol import Py4JError


def describe(phase: str, error: Any) -> dict[str, Any]:
    """`error` is a Java exception, a Python one that wraps a Java one, or a plain Python one."""
    java = error
    if isinstance(error, BaseException):
        java = getattr(error, "_origin", None) or getattr(error, "java_exception", None)
    if java is None:
        return {
            "phase": phase,
            "kind": type(error).__name__,
            "condition": None,
            "state": None,
            "parameters": {},
            "message": str(error),
        }
    condition, state, parameters = known(java)
    return {
        "phase": phase,
        "kind": java.getClass().getName(),
        "condition": condition,
        "state": state,
        "parameters": parameters,
        "message": java.getMessage(),
    }


def known(java: Any) -> tuple[str | None, str | None, dict[str, str | None]]:
    """The result of a SparkThrowable's method; None for other errors, which lack it."""
    try:
        return java.getCondition(), java.getSqlState(), dict(java.getMessageParameters())
    except Py4JError:
        return None, None, {}
