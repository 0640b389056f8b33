# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Scripts as JSON that people can read, and back: for stored failures, workers and digests.

A value of the vocabulary is an object with its class in `is` and the fields that are not as usual;
an enum is its class and its name. All else is plain JSON, and every list comes back as a tuple.
"""

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any

from parity import history, script, surgery, trace
from parity.batch import script as batch
from parity.planning import script as planning
from parity.planning import table
from parity.sink import script as sink

IS = "is"


@cache
def vocabulary() -> dict[str, type]:
    modules = (history, surgery, script, trace, table, planning, sink, batch)
    found = [value for module in modules for value in vars(module).values()]
    return {
        value.__name__: value
        for value in found
        if isinstance(value, type)
        and value.__module__.startswith("parity.")
        and (is_dataclass(value) or issubclass(value, Enum))
    }


def plain(value: object) -> Any:
    """The value as what JSON knows."""
    if isinstance(value, Enum):
        return {IS: type(value).__name__, "name": value.name}
    if is_dataclass(value) and not isinstance(value, type):
        told = {
            field.name: plain(getattr(value, field.name))
            for field in fields(value)
            if getattr(value, field.name) != usual(field)
        }
        return {IS: type(value).__name__, **told}
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value


def usual(field: Any) -> object:
    return field.default_factory() if field.default_factory is not MISSING else field.default


def value(told: Any) -> Any:
    """What `plain` was given."""
    if isinstance(told, list):
        return tuple(value(item) for item in told)
    if not isinstance(told, dict):
        return told
    if IS not in told:
        return {key: value(item) for key, item in told.items()}
    kind = vocabulary()[told[IS]]
    if issubclass(kind, Enum):
        return kind[told["name"]]
    return kind(**{key: value(item) for key, item in told.items() if key != IS})


def written(value: object) -> str:
    return json.dumps(plain(value), ensure_ascii=False, indent=1, sort_keys=True) + "\n"
