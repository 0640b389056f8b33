# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Starts the query of a stream."""

from dataclasses import dataclass, replace
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.functions import struct, to_json
from pyspark.sql.streaming.query import StreamingQuery

from deltasource import SchemaTracking, read_stream, stream_changes, write_stream
from soak.batch_files import BatchFiles
from soak.stream import Reading, Sink, SoakStream


@dataclass(frozen=True, kw_only=True)
class Folders:
    """The paths or URIs of a stream."""

    source: str
    target: str
    checkpoint: str


def start(spark: SparkSession, stream: SoakStream, folders: Folders) -> StreamingQuery:
    frame = _read(spark, stream, folders)
    rows = frame.select(to_json(struct(*stream.columns)).alias("row"))
    if stream.sink is Sink.BATCH_FILES:
        writer = rows.writeStream.foreachBatch(BatchFiles(Path(folders.target)).write)
        return writer.option("checkpointLocation", folders.checkpoint).start()
    return write_stream(rows, folders.target, checkpoint=folders.checkpoint, trigger=stream.trigger)


def _read(spark: SparkSession, stream: SoakStream, folders: Folders) -> DataFrame:
    options = stream.options
    if stream.tracks_schema:
        # Otherwise the soak would have to acknowledge each column that is renamed or dropped.
        tracking = SchemaTracking(
            location=f"{folders.checkpoint}/schemas", allow_rename="always", allow_drop="always"
        )
        options = replace(options, schema_tracking=tracking)
    if stream.reading is Reading.CHANGES:
        return stream_changes(spark, folders.source, options=options)
    return read_stream(spark, folders.source, options=options)
