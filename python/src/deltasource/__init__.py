# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Delta Lake for Apache Spark with our own streaming source and sink: one jar, one package."""

from deltasource._checkpoint.schema_log import schema_log
from deltasource._session.bundle import jar_path
from deltasource._session.doctor import doctor
from deltasource.attaching import attach
from deltasource.change_feed import ChangeType, read_changes, stream_changes
from deltasource.checkpoints import Batch, Checkpoint
from deltasource.errors import (
    BeyondTableError,
    BuilderError,
    CheckpointError,
    CommitError,
    ConnectError,
    DeltaSourceError,
    JarError,
    MalformedOffsetError,
    NewerOffsetError,
    NoOffsetError,
    NotLoadedError,
    OptionsError,
    OtherTableError,
    Problem,
    ProgressError,
    RemotePathError,
    SchemaChangeError,
    SchemaError,
    SchemaLogError,
    SecondDeltaError,
    SessionRunningError,
    ShadowedError,
    SparkVersionError,
    StartError,
    SubmitArgumentsError,
    TableError,
)
from deltasource.history import History
from deltasource.lag import Lag
from deltasource.monitoring import monitor
from deltasource.offsets import Offset
from deltasource.options import Change, ReadOptions
from deltasource.progress import Progress, SinkProgress, SourceProgress
from deltasource.report import Report, Row
from deltasource.running import Run, run_until
from deltasource.schema_tracking import Acknowledged, SchemaTracking
from deltasource.schemas import SchemaChange, schema_changes
from deltasource.session import configure
from deltasource.sinks import Sink, json_lines, log, prometheus
from deltasource.starting import Latest, Snapshot, Start, Time, Version
from deltasource.starts import StreamStart
from deltasource.streams import read_stream
from deltasource.tracking import TrackedSchema
from deltasource.types import SessionLike
from deltasource.write_options import OutputMode, WriteOptions
from deltasource.writing import Trigger, write_stream

__all__ = [
    "Acknowledged",
    "Batch",
    "BeyondTableError",
    "BuilderError",
    "Change",
    "ChangeType",
    "Checkpoint",
    "CheckpointError",
    "CommitError",
    "ConnectError",
    "DeltaSourceError",
    "History",
    "JarError",
    "Lag",
    "Latest",
    "MalformedOffsetError",
    "NewerOffsetError",
    "NoOffsetError",
    "NotLoadedError",
    "Offset",
    "OptionsError",
    "OtherTableError",
    "OutputMode",
    "Problem",
    "Progress",
    "ProgressError",
    "ReadOptions",
    "RemotePathError",
    "Report",
    "Row",
    "Run",
    "SchemaChange",
    "SchemaChangeError",
    "SchemaError",
    "SchemaLogError",
    "SchemaTracking",
    "SecondDeltaError",
    "SessionLike",
    "SessionRunningError",
    "ShadowedError",
    "Sink",
    "SinkProgress",
    "Snapshot",
    "SourceProgress",
    "SparkVersionError",
    "Start",
    "StartError",
    "StreamStart",
    "SubmitArgumentsError",
    "TableError",
    "Time",
    "TrackedSchema",
    "Trigger",
    "Version",
    "WriteOptions",
    "attach",
    "configure",
    "doctor",
    "jar_path",
    "json_lines",
    "log",
    "monitor",
    "prometheus",
    "read_changes",
    "read_stream",
    "run_until",
    "schema_changes",
    "schema_log",
    "stream_changes",
    "write_stream",
]
