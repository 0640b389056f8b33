# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Which settings `apply_changes` accepts for the columns of a stream."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from deltasource._apply.settings import ApplySettings
from deltasource._options.column_names import NAMES_ALLOWED, ColumnNames, are_names, same
from deltasource._options.hints import nearest_timedelta, with_hint
from deltasource._options.validation import Rule

FEED_COLUMNS: Final = ("_change_type", "_commit_version", "_commit_timestamp")
"""The columns that `stream_changes` adds."""

RESERVED: Final = ("__START_AT", "__END_AT", "__SEQUENCE")
"""The columns that the target may have besides those of the events."""

TRACKED_LISTS: Final = ("track_history_column_list", "track_history_except_column_list")
MODES: Final = ("append", "update")
MODE_ALLOWED: Final = (
    'must be "append", or "update" for an aggregation: complete mode replaces the whole table, and '
    "there is nothing to apply"
)
SEQUENCE_NEEDED: Final = (
    "must name the column that orders the events of a key, such as a version or a time of change. "
    "Only a change feed (stream_changes) and an aggregation in update mode do not need it"
)
FEED_SEQUENCE: Final = (
    "must be left out for a change feed: its columns _change_type and _commit_version say which "
    "events are deletes, and how they are ordered. For another order, give apply_as_deletes, too"
)
FEED_LACKS: Final = ". This stream has only a part of a change feed: keep its column {missing}, too"
SEQUENCE_ALLOWED: Final = (
    "must be a column name or a list of names; for an expression, add a column with withColumn"
)
BOTH_LISTS: Final = "must be left out with {other}"
KEY_ADDED: Final = "must include the key {key!r}: the target keeps its keys"
KEY_EXCLUDED: Final = "must not include the key {key!r}: the target keeps its keys"
TYPE_ALLOWED: Final = "must be 1 (the last values of each key) or 2 (their history)"
TYPE_1_ONLY: Final = "needs stored_as_scd_type=1: a history keeps every value"
TYPE_2_ONLY: Final = "needs stored_as_scd_type=2: there is no history to track"
NULLS_ALLOWED: Final = "must be True, False, a column name or a list of them"
TOMBSTONES_ALLOWED: Final = (
    'must be a timedelta of whole milliseconds that is not negative, or "forever"'
)
NAME_RESERVED: Final = "must not have a column with a name of the target: rename it"


@dataclass(frozen=True)
class SettingsRules:
    """The rules for the settings of a stream with these columns."""

    settings: ApplySettings
    columns: ColumnNames
    mode: str

    def all(self) -> Iterator[Rule]:
        """Return all rules."""
        for name in filter(None, map(self.columns.find, RESERVED)):
            yield "changes", name[0], False, NAME_RESERVED
        yield from self._keys()
        yield from self._sequence()
        yield from self._lists()
        yield from self._values()
        yield from self._null_updates()

    def without_columns(self) -> Iterator[Rule]:
        """Return those rules that do not depend on the columns, for a stream that is not known."""
        yield "keys", self.settings.keys, are_names(self.settings.keys), NAMES_ALLOWED
        for name in TRACKED_LISTS:
            names = getattr(self.settings, name)
            yield name, names, names is None or are_names(names), NAMES_ALLOWED
        yield from self._values()

    def _keys(self) -> Iterator[Rule]:
        given = self.settings.keys
        yield from self.columns.rules("keys", given)
        if are_names(given):
            yield from self.columns.key_rules("keys", given)
            only, without = self.settings.column_list, self.settings.except_column_list
            for key in filter(self.columns.find, given):
                kept = not are_names(only) or any(same(key, one) for one in only)
                yield "column_list", only, kept, KEY_ADDED.format(key=key)
                dropped = are_names(without) and any(same(key, one) for one in without)
                yield "except_column_list", without, not dropped, KEY_EXCLUDED.format(key=key)

    def _sequence(self) -> Iterator[Rule]:
        given = self.settings.sequence_by
        if given is None:
            known = self.is_change_feed or self.mode != "append"
            yield "sequence_by", given, known, SEQUENCE_NEEDED + self._lacks()
            return
        is_feed = any(self.columns.find(one) for one in FEED_COLUMNS[:2])
        ordered = not is_feed or self.settings.apply_as_deletes is not None
        yield "sequence_by", given, ordered, FEED_SEQUENCE
        valid = are_names(given)
        yield "sequence_by", given, valid, SEQUENCE_ALLOWED
        if valid:
            yield from self.columns.rules("sequence_by", given)
            yield from self.columns.order_rules("sequence_by", given)

    def _lacks(self) -> str:
        missing = [one for one in FEED_COLUMNS if not self.columns.find(one)]
        found = 0 < len(missing) < len(FEED_COLUMNS)
        return FEED_LACKS.format(missing=", ".join(missing)) if found else ""

    @property
    def is_change_feed(self) -> bool:
        """Whether the stream has the columns of a change feed."""
        return all(self.columns.find(one) for one in FEED_COLUMNS)

    @property
    def feed_columns(self) -> Sequence[str]:
        """The columns that the target leaves out because they only order a change feed."""
        return FEED_COLUMNS if self.settings.sequence_by is None and self.is_change_feed else ()

    def _lists(self) -> Iterator[Rule]:
        for only, without in (
            ("column_list", "except_column_list"),
            TRACKED_LISTS,
        ):
            for name in (only, without):
                if (names := getattr(self.settings, name)) is not None:
                    yield from self.columns.rules(name, names)
            unwanted = getattr(self.settings, without)
            both = unwanted is not None and getattr(self.settings, only) is not None
            yield without, unwanted, not both, BOTH_LISTS.format(other=only)

    def _values(self) -> Iterator[Rule]:
        tombstones = self.settings.tombstones
        yield "mode", self.mode, self.mode in MODES, MODE_ALLOWED
        meant = with_hint(
            TOMBSTONES_ALLOWED, "tombstones", nearest_timedelta(tombstones, unit="days")
        )
        yield "tombstones", tombstones, _is_retention(tombstones), meant
        scd_type = self.settings.stored_as_scd_type
        known = type(scd_type) is int and scd_type in (1, 2)
        yield "stored_as_scd_type", scd_type, known, TYPE_ALLOWED
        for name in TRACKED_LISTS:
            names = getattr(self.settings, name)
            yield name, names, names is None or scd_type != 1, TYPE_2_ONLY
        truncates = self.settings.apply_as_truncates
        yield "apply_as_truncates", truncates, truncates is None or scd_type != 2, TYPE_1_ONLY

    def _null_updates(self) -> Iterator[Rule]:
        nulls = self.settings.ignore_null_updates
        valid = isinstance(nulls, bool) or are_names(nulls)
        yield "ignore_null_updates", nulls, valid, NULLS_ALLOWED
        if are_names(nulls):
            yield from self.columns.rules("ignore_null_updates", nulls)
        unused = nulls is False or self.settings.stored_as_scd_type != 2
        yield "ignore_null_updates", nulls, unused, TYPE_1_ONLY


def tracked_sequence(settings: ApplySettings) -> Sequence[str]:
    """Return the sequence columns that are tracked: with them, each event begins a new row."""
    if settings.stored_as_scd_type != 2:
        return ()

    def chosen(name: str, only: Sequence[str] | None, without: Sequence[str] | None) -> bool:
        if only is not None:
            return any(same(name, one) for one in only)
        return not any(same(name, one) for one in without or ())

    tracked = settings.track_history_column_list, settings.track_history_except_column_list
    kept = settings.column_list, settings.except_column_list
    return [
        one
        for one in settings.sequence_by or ()
        if chosen(one, *kept)
        and chosen(one, *tracked)
        and not any(same(one, k) for k in settings.keys)
    ]


def _is_retention(tombstones: object) -> bool:
    if isinstance(tombstones, timedelta):
        return tombstones >= timedelta(0) and tombstones % timedelta(milliseconds=1) == timedelta(0)
    return tombstones == "forever"
