# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The settings of random scripts: few combinations, so that scripts of one can share a table."""

from typing import Any

from apply_changes.columns import Keys, Order
from apply_changes.history import Layout, Settings

KEEPS_ORDER = ("note",)
"""Dropped columns that leave the sequence in the target."""
ALL_VALUES = ("seq", "part")
VECTORS: dict[str, Any] = {"deletion_vectors": True}

TYPE_1 = (
    Settings(),
    Settings(keys=Keys.STRING, order=Order.TIMESTAMP, dropped=KEEPS_ORDER, **VECTORS),
    Settings(keys=Keys.TWO, order=Order.PAIR, by_list=True, layout=Layout.BY_KEY, **VECTORS),
    Settings(keys=Keys.DATE, order=Order.PAIR, dropped=KEEPS_ORDER, layout=Layout.BY_VALUE),
    Settings(keys=Keys.DECIMAL, order=Order.DECIMAL, layout=Layout.CLUSTERED, **VECTORS),
    Settings(ignore_nulls=True, **VECTORS),
    Settings(ignore_nulls=("amount", "place"), keys=Keys.STRING, order=Order.PAIR),
    Settings(
        ignore_nulls=True, keys=Keys.TWO, dropped=KEEPS_ORDER, layout=Layout.BY_VALUE, **VECTORS
    ),
    Settings(truncates=True, **VECTORS),
    Settings(truncates=True, keys=Keys.TWO, order=Order.PAIR, layout=Layout.BY_VALUE),
    Settings(truncates=True, ignore_nulls=True, order=Order.TIMESTAMP, by_list=True, **VECTORS),
    Settings(dropped=ALL_VALUES, keys=Keys.STRING, layout=Layout.BY_VALUE, **VECTORS),
)
HISTORIES: tuple[dict[str, Any], ...] = (
    {},
    {"keys": Keys.STRING, "order": Order.TIMESTAMP, **VECTORS},
    {"untracked": ("amount", "place"), **VECTORS},
    {"untracked": ("name", "place"), "by_list": True, "keys": Keys.TWO, "order": Order.PAIR},
    {"untracked": ("amount",), "keys": Keys.DATE, "layout": Layout.BY_VALUE, **VECTORS},
    {"keys": Keys.TWO, "layout": Layout.BY_KEY, "order": Order.PAIR, **VECTORS},
    {"keys": Keys.DECIMAL, "order": Order.DECIMAL, "layout": Layout.CLUSTERED, **VECTORS},
    {"dropped": KEEPS_ORDER, "untracked": ("seq",), **VECTORS},
    {"dropped": KEEPS_ORDER, "order": Order.PAIR},
    {"untracked": ("name",), "layout": Layout.BY_VALUE, "keys": Keys.STRING},
    {"dropped": (*ALL_VALUES, "place"), "untracked": ("note", "amount"), "by_list": True},
    {"untracked": ("name", "amount"), "order": Order.TIMESTAMP, "keys": Keys.TWO, **VECTORS},
)
TYPE_2 = tuple(Settings(scd_type=2, **settings) for settings in HISTORIES)
COMBINATIONS = TYPE_1 + TYPE_2
