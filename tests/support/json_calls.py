# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Serves the calls of `support.json_process`: the methods of an object, called with JSON."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Protocol


class Closable(Protocol):
    """What is served."""

    def close(self) -> None: ...


def serve(start: Callable[[], Closable], describe: Callable[[Exception], object]) -> None:
    """Start an object, call its methods until standard input ends, and close it.

    Args:
        start: Creates the object whose methods are called.
        describe: Returns what to answer if a call fails, as JSON.
    """
    # The JVM writes to standard output too: keep it for answers, redirect the rest to stderr.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as out:
        os.dup2(2, 1)
        target = start()

        def say(answer: dict[str, object]) -> None:
            out.write(json.dumps(answer) + "\n")
            out.flush()

        say({"value": "ready"})
        for line in sys.stdin:
            request = json.loads(line)
            try:
                answer = {"value": getattr(target, request.pop("call"))(**request)}
            except Exception as error:
                answer = {"error": describe(error)}
            say(answer)
        target.close()
