# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Conditions on events: which of them delete, or truncate the target."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias, Union

from deltasource._options.validation import Rule
from deltasource._session.quiet_errors import not_logged
from deltasource._text import first_line

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

Condition: TypeAlias = Union[str, "Column"]
"""SQL text, or a column of Spark."""

ALLOWED: Final = "must be a condition on the columns of changes, such as \"op = 'D'\""
PREFIX: Final = "__DELTASOURCE_"


@dataclass(frozen=True)
class EventsWithConditions:
    """Events, and the conditions on them as SQL text.

    A column of Spark has no SQL text, neither in a classic session nor in Spark Connect. So it is
    added to the events, and its name is the text. The target must not keep these columns.
    """

    events: DataFrame
    texts: dict[str, str]
    added: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()

    def adding(self, argument: str, condition: Condition | None) -> EventsWithConditions:
        """Return the events with one more condition; a wrong one breaks a rule."""
        from pyspark.sql import Column

        if condition is None:
            return self
        if isinstance(condition, str) and condition.strip():
            reason = _mistake(self.events, condition)
            texts = self.texts | {argument: condition}
            return self._checked(argument, condition, reason, self.events, texts)
        if isinstance(condition, Column):
            name = PREFIX + argument.upper()
            texts = self.texts | {argument: f"`{name}`"}
            reason = _mistake(self.events, condition)
            events = self.events if reason else self.events.withColumn(name, condition)
            return self._checked(argument, condition, reason, events, texts, name)
        return self._checked(argument, condition, "", self.events, self.texts)

    def _checked(
        self,
        argument: str,
        condition: object,
        reason: str | None,
        events: DataFrame,
        texts: dict[str, str],
        *added: str,
    ) -> EventsWithConditions:
        allowed = f"{ALLOWED} ({reason})" if reason else ALLOWED
        rule = (argument, condition, reason is None, allowed)
        return EventsWithConditions(events, texts, (*self.added, *added), (*self.rules, rule))


def _mistake(events: DataFrame, condition: Condition) -> str | None:
    """Return why this is no condition on the events; None if it is one."""
    from pyspark.errors import PySparkException

    try:
        with not_logged():
            if isinstance(condition, str):
                dtypes = events.selectExpr(condition).dtypes
            else:
                dtypes = events.select(condition).dtypes
    except PySparkException as error:
        return first_line(error)
    types = [kind for _, kind in dtypes]
    return None if types == ["boolean"] else "its type is " + ", ".join(types)
