# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Evaluates an alert of Prometheus over scrapes of gauges: the few operations that our docs use.

The library `promql_parser` has Prometheus' grammar. An operation that is not known here is an
error.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, TypeAlias

import promql_parser as promql

Labels: TypeAlias = frozenset[tuple[str, str]]
Vector: TypeAlias = Mapping[Labels, float]

_SAMPLE: Final = re.compile(r"(\w+)\{(.*)\} (\S+)")
_LABEL: Final = re.compile(r'(\w+)="([^"\\]*)"')
_COMPARISONS: Final[Mapping[str, Callable[[float, float], bool]]] = {
    ">": operator.gt,
    "==": operator.eq,
}


@dataclass(frozen=True, kw_only=True)
class Gauges:
    """The gauges of a file at a point in time, and those of earlier scrapes, the oldest first.

    All earlier scrapes are taken to be in the range of a selector such as `[1h]`.
    """

    text: str
    now: float
    earlier: Sequence[str] = ()

    def firing(self, expression: str) -> list[str]:
        """Return the queries for which an alert fires."""
        found = self._vector(promql.parse(expression))
        return sorted(value for labels in found for name, value in labels if name == "query")

    def _vector(self, expression: Any) -> Vector:
        value = self._value(expression)
        assert isinstance(value, Mapping), expression
        return value

    def _value(self, expression: Any) -> Vector | float:
        match expression:
            case promql.ParenExpr():
                return self._value(expression.expr)
            case promql.NumberLiteral():
                return float(expression.val)
            case promql.Call() if expression.func.name == "time":
                return self.now
            case promql.Call() if expression.func.name == "changes":
                return self._changes(expression.args[0].vector_selector)
            case promql.VectorSelector():
                return self._selected(expression, self.text)
            case promql.BinaryExpr():
                return self._combined(expression)
            case _:
                raise NotImplementedError(str(expression))

    def _changes(self, selector: promql.VectorSelector) -> Vector:
        scrapes = [self._selected(selector, text) for text in (*self.earlier, self.text)]
        numbers: dict[Labels, list[float]] = {}
        for scrape in scrapes:
            for labels, number in scrape.items():
                numbers.setdefault(labels, []).append(number)
        return {
            labels: float(sum(one != other for one, other in pairwise(series)))
            for labels, series in numbers.items()
        }

    def _selected(self, selector: promql.VectorSelector, text: str) -> Vector:
        samples = (_SAMPLE.fullmatch(line) for line in text.splitlines())
        found = [one for one in samples if one is not None and one[1] == selector.name]
        vector = {frozenset(_LABEL.findall(one[2])): float(one[3]) for one in found}
        for matcher in selector.matchers.matchers:
            equal = matcher.op == promql.MatchOp.Equal
            assert equal or matcher.op == promql.MatchOp.Re, matcher
            wanted = re.compile(re.escape(matcher.value) if equal else matcher.value)
            vector = {
                labels: number
                for labels, number in vector.items()
                if wanted.fullmatch(dict(labels).get(matcher.name, ""))
            }
        return vector

    def _combined(self, expression: promql.BinaryExpr) -> Vector:
        symbol = str(expression.op)
        left, right = self._value(expression.lhs), self._value(expression.rhs)
        if symbol == "-" and not isinstance(left, Mapping) and isinstance(right, Mapping):
            return {labels: left - number for labels, number in right.items()}
        assert isinstance(left, Mapping), expression
        if symbol in _COMPARISONS:
            assert not isinstance(right, Mapping), expression
            holds = _COMPARISONS[symbol]
            return {labels: number for labels, number in left.items() if holds(number, right)}
        assert isinstance(right, Mapping), expression
        ignored = _ignored(expression)
        known = {_without(labels, ignored) for labels in (left if symbol == "or" else right)}
        if symbol == "or":
            added = {at: one for at, one in right.items() if _without(at, ignored) not in known}
            return {**left, **added}
        assert symbol == "and", symbol
        return {at: one for at, one in left.items() if _without(at, ignored) in known}


def _ignored(expression: promql.BinaryExpr) -> frozenset[str]:
    modifier = expression.modifier
    matching = None if modifier is None else modifier.matching
    if matching is None:
        return frozenset()
    assert matching.type == promql.LabelModifierType.Exclude, expression
    return frozenset(matching.labels)


def _without(labels: Labels, ignored: frozenset[str]) -> Labels:
    return frozenset(one for one in labels if one[0] not in ignored)
