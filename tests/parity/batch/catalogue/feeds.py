# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Reads of the change feed: ranges, flags and invalid values."""

from collections.abc import Mapping

from parity.batch.catalogue.helpers import DELTA, FEED, PLAIN, VERSIONS, format_options, script
from parity.batch.script import Load

CHANGES = (*FEED, "DELETE FROM {table} WHERE id = 2", "UPDATE {table} SET v = 'w' WHERE id = 3")
LATE = (
    *PLAIN,
    "ALTER TABLE {table} SET TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')",
    "INSERT INTO {table} VALUES (4, 'd')",
)
FEEDS: tuple[Mapping[str, str], ...] = (
    {},
    {"startingVersion": "1"},
    {"startingVersion": "0", "endingVersion": "2"},
    {"startingVersion": "2", "endingVersion": "2"},
    {"startingVersion": "2", "endingVersion": "1"},
    {"startingVersion": "1", "endingVersion": "9"},
    {"startingVersion": "9"},
    {"startingVersion": "-1"},
    {"startingVersion": "one"},
    {"startingVersion": "latest"},
    {"startingVersion": "1", "endingVersion": "two"},
    {"endingVersion": "2"},
    {"startingTimestamp": "2024-01-02"},
    {"startingTimestamp": "2024-01-02 12:00:00", "endingTimestamp": "2024-01-03 12:00:00"},
    {"startingTimestamp": "2024-01-02 12:00:00", "endingTimestamp": "2024-01-02 13:00:00"},
    {"startingTimestamp": "2023-01-01"},
    {"startingTimestamp": "2024-01-05"},
    {"startingTimestamp": "2024-01-03", "endingTimestamp": "2024-01-02"},
    {"startingTimestamp": "2024-01-02", "endingTimestamp": "2024-02-01"},
    {"startingTimestamp": "some day"},
    {"startingVersion": "1", "startingTimestamp": "2024-01-02"},
    {"startingVersion": "1", "endingVersion": "2", "endingTimestamp": "2024-01-02"},
    {"startingVersion": "1", "endingTimestamp": "2024-01-03"},
    {"startingVersion": "1", "versionAsOf": "1"},
    {"startingVersion": "1", "timestampAsOf": "2024-01-02"},
    {"STARTINGVERSION": "2"},
)
FLAGS: tuple[Mapping[str, str], ...] = (
    {"readChangeData": "true"},
    {"READCHANGEFEED": "TRUE"},
    {"readChangeFeed": "false"},
    {"readChangeFeed": "maybe"},
    {"readChangeFeed": ""},
    {"readChangeFeed": "false", "readChangeData": "true"},
    {"readChangeFeed": "true", "readChangeData": "maybe"},
)

OF_CHANGES = (
    tuple(
        script(
            f"read changes, {format_options(options)}",
            CHANGES,
            Load(options={"readChangeFeed": "true", **options}),
        )
        for options in FEEDS
    )
    + tuple(
        script(
            f"read {format_options(flag)} from 1",
            CHANGES,
            Load(options={**flag, "startingVersion": "1"}),
        )
        for flag in FLAGS
    )
    + (
        script(
            "read changes, a table without a change feed",
            VERSIONS,
            Load(options={"readChangeFeed": "true", "startingVersion": "0"}),
        ),
        script(
            "read changes, from before the feed was on",
            LATE,
            Load(options={"readChangeFeed": "true", "startingVersion": "0"}),
        ),
        script(
            "read changes, from where the feed is on",
            LATE,
            Load(options={"readChangeFeed": "true", "startingVersion": "2"}),
        ),
        script(
            "read changes from a version beyond the end, allowed",
            CHANGES,
            Load(
                options={"readChangeFeed": "true", "startingVersion": "9"},
                confs={f"{DELTA}.changeDataFeed.timestampOutOfRange.enabled": "true"},
            ),
        ),
        script(
            "read changes from a time after the end, allowed",
            CHANGES,
            Load(
                options={"readChangeFeed": "true", "startingTimestamp": "2024-02-01"},
                confs={f"{DELTA}.changeDataFeed.timestampOutOfRange.enabled": "true"},
            ),
        ),
        script(
            "read changes, a path with a version",
            CHANGES,
            Load(path="@v1", options={"readChangeFeed": "true", "startingVersion": "1"}),
        ),
        script(
            "read changes by table",
            CHANGES,
            Load("table", options={"readChangeFeed": "true", "startingVersion": "1"}),
        ),
        script(
            "read changes with a schema",
            CHANGES,
            Load(
                schema="id LONG, v STRING",
                options={"readChangeFeed": "true", "startingVersion": "1"},
            ),
        ),
        script(
            "read changes of some columns",
            CHANGES,
            Load(
                where="_change_type = 'delete'",
                select=("id",),
                options={"readChangeFeed": "true", "startingVersion": "0"},
            ),
        ),
    )
)
