# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Scripts as readable JSON and back, for stored failures, workers and digests.

A script value is an object with its class in `is` and the fields that are not at their defaults;
an enum is its class and its name. All else is plain JSON, and every list is read as a tuple.
"""

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any

from parity import history, log_edits, script
from parity.batch import script as batch
from parity.harness import trace
from parity.planning import script as planning
from parity.planning import table
from parity.sink import script as sink

IS = "is"


@cache
def vocabulary() -> dict[str, type]:
    modules = (history, log_edits, script, trace, table, planning, sink, batch)
    found = [value for module in modules for value in vars(module).values()]
    return {
        value.__name__: value
        for value in found
        if isinstance(value, type)
        and value.__module__.startswith("parity.")
        and (is_dataclass(value) or issubclass(value, Enum))
    }


def plain(value: object) -> Any:
    """The value as JSON types."""
    if isinstance(value, Enum):
        return {IS: type(value).__name__, "name": value.name}
    if is_dataclass(value) and not isinstance(value, type):
        given = {
            field.name: plain(getattr(value, field.name))
            for field in fields(value)
            if getattr(value, field.name) != default(field)
        }
        return {IS: type(value).__name__, **given}
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value


def default(field: Any) -> object:
    return field.default_factory() if field.default_factory is not MISSING else field.default


def value(plain_value: Any) -> Any:
    """The inverse of `plain`."""
    if isinstance(plain_value, list):
        return tuple(value(item) for item in plain_value)
    if not isinstance(plain_value, dict):
        return plain_value
    if IS not in plain_value:
        return {key: value(item) for key, item in plain_value.items()}
    kind = vocabulary()[plain_value[IS]]
    if issubclass(kind, Enum):
        return kind[plain_value["name"]]
    return kind(**{key: value(item) for key, item in plain_value.items() if key != IS})


def written(value: object) -> str:
    return json.dumps(plain(value), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
