# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Scripts as readable JSON and back. Fields at their defaults are left out; an enum is its name."""

import json
from dataclasses import fields, is_dataclass
from enum import Enum, EnumMeta
from typing import Any, get_args, get_origin, get_type_hints

from apply_changes.history import Script


def written(script: Script) -> str:
    return json.dumps(plain(script), ensure_ascii=False, indent=1) + "\n"


def read(text: str) -> Script:
    script: Script = value(Script, json.loads(text))
    return script


def plain(given: object) -> Any:
    """The value as JSON types."""
    if isinstance(given, Enum):
        return given.name
    if is_dataclass(given) and not isinstance(given, type):
        return {
            field.name: plain(getattr(given, field.name))
            for field in fields(given)
            if getattr(given, field.name) != default(field)
        }
    return [plain(item) for item in given] if isinstance(given, tuple) else given


def default(field: Any) -> object:
    return field.default_factory() if callable(field.default_factory) else field.default


def value(kind: Any, given: Any) -> Any:
    """The inverse of `plain`, for a value of a type."""
    if isinstance(given, dict):
        hints = get_type_hints(kind)
        return kind(**{name: value(hints[name], item) for name, item in given.items()})
    if isinstance(kind, EnumMeta):
        return kind[given]
    if isinstance(given, list):
        return tuple(value(item_type(kind), item) for item in given)
    return given


def item_type(kind: Any) -> Any:
    """The type of the items of `tuple[..., ...]`, alone or in a union."""
    tuples = [one for one in (kind, *get_args(kind)) if get_origin(one) is tuple]
    return get_args(tuples[0])[0]
