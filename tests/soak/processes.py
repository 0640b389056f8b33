# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Starts the driver with the streams, and the writer."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict

from object_stores.fault_runs import CONFS as FAULT_RUNS
from object_stores.phases import LOG_STORE
from object_stores.server import UNRECORDED
from object_stores.store import connector
from parity.harness.both_sides import OURS, jars
from parity.harness.worker import CONFS as WORKER
from soak.place import Place
from soak.query_start import Folders
from soak.stream import Sink, SoakStream
from support.class_data import JARS, java_options
from support.json_process import JsonProcess

DRIVER = FAULT_RUNS | {
    "spark.driver.memory": "2g",
    "spark.driver.extraJavaOptions": java_options("-XX:+ExitOnOutOfMemoryError", archive=JARS),
    "spark.sql.shuffle.partitions": "2",
    # The default, "analytics", caches something of each Parquet file, and its threads keep sessions
    # of queries that have ended: the heap grows until its cache and its pool are full, with any
    # reader.
    "spark.hadoop.fs.s3a.input.stream.type": "classic",
    # Spark remembers the last jobs and queries. With its defaults, that grows for an hour.
    "spark.ui.retainedJobs": "50",
    "spark.ui.retainedStages": "50",
    "spark.ui.retainedTasks": "500",
    "spark.sql.ui.retainedExecutions": "50",
    "spark.sql.streaming.ui.retainedQueries": "10",
    "spark.sql.streaming.numRecentProgressUpdates": "10",
}
WRITER = {
    # For statements that write a few rows.
    **WORKER,
    **LOG_STORE,
    "spark.driver.memory": "1g",
    # By default, VACUUM lists a table with 10,000 tasks.
    "spark.sql.sources.parallelPartitionDiscovery.parallelism": "2",
    # Only the requests of the streams are counted.
    "spark.hadoop.fs.s3a.client.s3.custom.headers": f"{UNRECORDED}=1",
}
PATIENCE = 900.0
"""Seconds to wait for an answer. On a busy machine, ten streams take minutes to read everything."""


def folders(stream: SoakStream, place: Place) -> Folders:
    """Where a stream reads and writes."""
    on_s3 = stream.source.on_s3
    in_bucket = on_s3 and stream.sink is Sink.DELTA
    return Folders(
        source=place.uri(stream.source.key, on_s3=on_s3),
        target=place.uri(stream.target, on_s3=in_bucket),
        checkpoint=place.uri(stream.checkpoint, on_s3=on_s3),
    )


def start_driver(
    place: Place, streams: Sequence[SoakStream], confs: Mapping[str, str]
) -> JsonProcess:
    task = {
        **_session({**place.store.proxied.confs(), **DRIVER, **confs}),
        "streams": {stream.name: asdict(folders(stream, place)) for stream in streams},
    }
    module = ("soak.driver", json.dumps(task))
    return JsonProcess("driver", module, place.folder, patience=PATIENCE)


def start_writer(place: Place) -> JsonProcess:
    task = _session(place.store.direct.confs() | WRITER)
    module = ("soak.writer", json.dumps(task))
    return JsonProcess("writer", module, place.folder, patience=PATIENCE)


def _session(confs: Mapping[str, str]) -> dict[str, object]:
    return {"jars": [str(jar) for jar in (*jars(OURS), *connector())], "confs": dict(confs)}
