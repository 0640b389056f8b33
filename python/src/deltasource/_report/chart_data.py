# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The data of the charts of a page, which is in the page once.

Text from files is only ever data: Vega-Lite evaluates nothing of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypeAlias

from deltasource import _html as html
from deltasource._format import format_time, printable
from deltasource._report.stream_life import BatchRecord, Moment, StreamLife

Spec: TypeAlias = Mapping[str, Any]
"""A part of a chart in the format of Vega-Lite, or a row of its data."""

PLANNING: Final = "planning"
REST: Final = "rest of the batch"
FROM_FILES: Final = "whole batch, from the files of the checkpoint"
MARKED: Final = {"start": html.GREY, "failure": html.RED, "schema": html.GREEN}
"""The moments that all charts show, as dashed lines."""

_MAX_TEXT: Final = 200


def chart_data(life: StreamLife) -> Mapping[str, Sequence[Spec]]:
    """Return the data of all charts, by name."""
    marked = [one for one in life.moments if one.kind in MARKED and one.at is not None]
    return {
        "batches": [_batch(one) for one in life.batches if one.started is not None],
        "lags": [
            {
                **_time(one.at),
                "source": printable(one.source),
                "seconds": one.lag.seconds,
                "versions": one.lag.versions,
            }
            for one in life.lags
        ],
        "moments": [_moment(one) for one in marked],
        "versions": [{**_time(at), "version": version} for version, at in life.table_versions],
    }


def _batch(one: BatchRecord) -> Spec:
    seconds, planning = one.seconds, one.planning_seconds
    measured = seconds is not None and not one.from_files
    # Sources may plan at the same time.
    least = planning if planning is None or seconds is None else min(planning, seconds)
    return {
        **_time(one.started),
        "batch": one.id,
        "rows": one.rows,
        "files_read": one.files_read,
        "bytes_read": one.bytes_read,
        "files_written": one.files_written,
        "bytes_written": one.bytes_written,
        PLANNING: least,
        REST: round(seconds - (least or 0), 6) if seconds is not None and measured else None,
        FROM_FILES: seconds if one.from_files else None,
        "version": one.version,
    }


def _moment(one: Moment) -> Spec:
    text = one.text if len(one.text) <= _MAX_TEXT else f"{one.text[:_MAX_TEXT]}…"
    return {**_time(one.at), "text": printable(text), "color": MARKED[one.kind]}


def _time(at: datetime | None) -> Spec:
    if at is None:
        return {"at": None, "when": None}
    return {"at": round(at.timestamp() * 1000), "when": format_time(at)}
