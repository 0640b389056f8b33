# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The classes of Spark that are in other packages since Spark 4.1, by their names on a line.

Py4J takes a name that does not exist for a package, and fails only when the package is called.
"""

from support.build import LINE

_STREAMING = "org.apache.spark.sql.execution.streaming"


def serialized_offset(line: str = LINE) -> str:
    return f"{_STREAMING}{'' if line == '4.0' else '.runtime'}.SerializedOffset"


def checkpoint_files(line: str = LINE) -> str:
    package = f"{_STREAMING}{'' if line == '4.0' else '.checkpointing'}"
    return f"{package}.FileSystemBasedCheckpointFileManager"
