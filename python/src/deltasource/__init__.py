# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Delta Lake for Apache Spark with our own streaming source and sink: one jar, one package."""

import sys
from typing import TYPE_CHECKING

from deltasource._apply.apply_changes import apply_changes
from deltasource._apply.apply_snapshots import AppliedSnapshot, apply_snapshots
from deltasource._apply.net_changes import net_changes
from deltasource._checkpoint.checkpoint import Checkpoint
from deltasource._checkpoint.commit import EmptyCommitError
from deltasource._checkpoint.offset import Offset
from deltasource._checkpoint.offset_log import Batch
from deltasource._checkpoint.schema_changes import schema_changes
from deltasource._checkpoint.schema_log import schema_log
from deltasource._checkpoint.stream_start import StreamStart
from deltasource._checkpoint.tracked_schema import TrackedSchema
from deltasource._errors import (
    BeyondTableError,
    BuilderError,
    CheckpointError,
    CheckpointInUseError,
    CommitError,
    ConnectError,
    DeltaSourceError,
    JarError,
    LogReadError,
    MalformedOffsetError,
    MissingLibraryError,
    NewerOffsetError,
    NoOffsetError,
    NotLoadedError,
    OptionsError,
    OtherTableError,
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
from deltasource._invalid_option import InvalidOption
from deltasource._lag import CheckpointLag, Lag
from deltasource._log_gaps import MissingCommitError
from deltasource._monitor.error_condition import error_condition
from deltasource._monitor.event_file import read_events
from deltasource._monitor.event_sinks import EventSink, json_lines, log_progress, prometheus
from deltasource._monitor.events import Event, QueryEnded, QueryFailed, QueryIdle, QueryStarted
from deltasource._monitor.history import History
from deltasource._monitor.monitor import monitor
from deltasource._monitor.opentelemetry import opentelemetry
from deltasource._monitor.progress import Progress, SourceProgress
from deltasource._monitor.prometheus_http import PrometheusEndpoint, prometheus_http
from deltasource._monitor.run import Ending, RunResult, run_until
from deltasource._monitor.sink_progress import SinkProgress
from deltasource._options.read_options import ReadOptions
from deltasource._options.schema_tracking import Acknowledged, SchemaTracking
from deltasource._options.start import Latest, Snapshot, Start, StartLike, Time, Version
from deltasource._options.validation import OnChange
from deltasource._options.write_options import OutputMode, WriteOptions
from deltasource._read.change_feed import Bound, ChangeType, read_changes, stream_changes
from deltasource._read.feed_property import NoChangeFeedError
from deltasource._read.stream import read_stream
from deltasource._read.table_features import (
    UnsupportedReadFeatureError,
    UnsupportedWriteFeatureError,
)
from deltasource._report.report import report
from deltasource._schema_change import SchemaChange, SchemaChangeKind
from deltasource._session.attach import attach
from deltasource._session.bundle import jar_path
from deltasource._session.configure import configure
from deltasource._session.doctor import doctor
from deltasource._session.report import DoctorCheck, Report
from deltasource._types import SessionLike
from deltasource._views.notebook import notebook_view
from deltasource._write.earlier_batches import OtherTargetError
from deltasource._write.query_start import Trigger
from deltasource._write.stream import write_stream

if TYPE_CHECKING:
    __version__: str
else:
    # Not an annotated variable, because importing does no work; hidden from type checkers, which
    # would take any misspelled name for one that this function knows.
    def __getattr__(name):
        if name == "__version__":
            from deltasource._session.bundle import package_version

            return package_version()
        # With the module, so that Python suggests the nearest name.
        text = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(text, name=name, obj=sys.modules[__name__])

    def __dir__():
        # What is public, for completion and `help`.
        return sorted({*__all__, *(one for one in globals() if one.startswith("__"))})


__all__ = [
    "Acknowledged",
    "AppliedSnapshot",
    "Batch",
    "BeyondTableError",
    "Bound",
    "BuilderError",
    "ChangeType",
    "Checkpoint",
    "CheckpointError",
    "CheckpointInUseError",
    "CheckpointLag",
    "CommitError",
    "ConnectError",
    "DeltaSourceError",
    "DoctorCheck",
    "EmptyCommitError",
    "Ending",
    "Event",
    "EventSink",
    "History",
    "InvalidOption",
    "JarError",
    "Lag",
    "Latest",
    "LogReadError",
    "MalformedOffsetError",
    "MissingCommitError",
    "MissingLibraryError",
    "NewerOffsetError",
    "NoChangeFeedError",
    "NoOffsetError",
    "NotLoadedError",
    "Offset",
    "OnChange",
    "OptionsError",
    "OtherTableError",
    "OtherTargetError",
    "OutputMode",
    "Progress",
    "ProgressError",
    "PrometheusEndpoint",
    "QueryEnded",
    "QueryFailed",
    "QueryIdle",
    "QueryStarted",
    "ReadOptions",
    "RemotePathError",
    "Report",
    "RunResult",
    "SchemaChange",
    "SchemaChangeError",
    "SchemaChangeKind",
    "SchemaError",
    "SchemaLogError",
    "SchemaTracking",
    "SecondDeltaError",
    "SessionLike",
    "SessionRunningError",
    "ShadowedError",
    "SinkProgress",
    "Snapshot",
    "SourceProgress",
    "SparkVersionError",
    "Start",
    "StartError",
    "StartLike",
    "StreamStart",
    "SubmitArgumentsError",
    "TableError",
    "Time",
    "TrackedSchema",
    "Trigger",
    "UnsupportedReadFeatureError",
    "UnsupportedWriteFeatureError",
    "Version",
    "WriteOptions",
    "apply_changes",
    "apply_snapshots",
    "attach",
    "configure",
    "doctor",
    "error_condition",
    "jar_path",
    "json_lines",
    "log_progress",
    "monitor",
    "net_changes",
    "notebook_view",
    "opentelemetry",
    "prometheus",
    "prometheus_http",
    "read_changes",
    "read_events",
    "read_stream",
    "report",
    "run_until",
    "schema_changes",
    "schema_log",
    "stream_changes",
    "write_stream",
]
