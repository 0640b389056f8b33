# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The settings of random scripts: few combinations, so that scripts of one can share a table."""

from typing import Any

from apply_changes.columns import KeyType, SequenceType
from apply_changes.history import Layout, Settings

KEEPS_SEQUENCE = ("note",)
"""Dropped columns that leave the sequence in the target."""
ALL_VALUES = ("seq", "part")
VECTORS: dict[str, Any] = {"deletion_vectors": True}

TYPE_1 = (
    Settings(),
    Settings(
        keys=KeyType.STRING, sequence=SequenceType.TIMESTAMP, dropped=KEEPS_SEQUENCE, **VECTORS
    ),
    Settings(
        keys=KeyType.TWO, sequence=SequenceType.PAIR, by_list=True, layout=Layout.BY_KEY, **VECTORS
    ),
    Settings(
        keys=KeyType.DATE,
        sequence=SequenceType.PAIR,
        dropped=KEEPS_SEQUENCE,
        layout=Layout.BY_VALUE,
    ),
    Settings(
        keys=KeyType.DECIMAL, sequence=SequenceType.DECIMAL, layout=Layout.CLUSTERED, **VECTORS
    ),
    Settings(ignore_nulls=True, **VECTORS),
    Settings(ignore_nulls=("amount", "place"), keys=KeyType.STRING, sequence=SequenceType.PAIR),
    Settings(
        ignore_nulls=True,
        keys=KeyType.TWO,
        dropped=KEEPS_SEQUENCE,
        layout=Layout.BY_VALUE,
        **VECTORS,
    ),
    Settings(truncates=True, **VECTORS),
    Settings(truncates=True, keys=KeyType.TWO, sequence=SequenceType.PAIR, layout=Layout.BY_VALUE),
    Settings(
        truncates=True, ignore_nulls=True, sequence=SequenceType.TIMESTAMP, by_list=True, **VECTORS
    ),
    Settings(dropped=ALL_VALUES, keys=KeyType.STRING, layout=Layout.BY_VALUE, **VECTORS),
)
HISTORIES: tuple[dict[str, Any], ...] = (
    {},
    {"keys": KeyType.STRING, "sequence": SequenceType.TIMESTAMP, **VECTORS},
    {"untracked": ("amount", "place"), **VECTORS},
    {
        "untracked": ("name", "place"),
        "by_list": True,
        "keys": KeyType.TWO,
        "sequence": SequenceType.PAIR,
    },
    {"untracked": ("amount",), "keys": KeyType.DATE, "layout": Layout.BY_VALUE, **VECTORS},
    {"keys": KeyType.TWO, "layout": Layout.BY_KEY, "sequence": SequenceType.PAIR, **VECTORS},
    {
        "keys": KeyType.DECIMAL,
        "sequence": SequenceType.DECIMAL,
        "layout": Layout.CLUSTERED,
        **VECTORS,
    },
    {"dropped": KEEPS_SEQUENCE, "untracked": ("seq",), **VECTORS},
    {"dropped": KEEPS_SEQUENCE, "sequence": SequenceType.PAIR},
    {"untracked": ("name",), "layout": Layout.BY_VALUE, "keys": KeyType.STRING},
    {"dropped": (*ALL_VALUES, "place"), "untracked": ("note", "amount"), "by_list": True},
    {
        "untracked": ("name", "amount"),
        "sequence": SequenceType.TIMESTAMP,
        "keys": KeyType.TWO,
        **VECTORS,
    },
)
TYPE_2 = tuple(Settings(scd_type=2, **settings) for settings in HISTORIES)
COMBINATIONS = TYPE_1 + TYPE_2
