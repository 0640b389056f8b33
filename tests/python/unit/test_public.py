# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The public names of the package."""

from __future__ import annotations

import builtins
import subprocess
import sys
from pathlib import Path

import pyspark.sql.functions
import pyspark.sql.streaming
import pyspark.sql.types
import pytest

import deltasource
from deltasource import DeltaSourceError, _errors, _log_gaps
from deltasource._read import feed_property, table_features
from deltasource._text import is_path
from deltasource._write import earlier_batches


def test_public_names_are_sorted_and_exist() -> None:
    """`__all__` is sorted, each name in it exists, and each public name is in it."""
    assert deltasource.__all__ == sorted(deltasource.__all__)
    assert all(hasattr(deltasource, name) for name in deltasource.__all__)
    classes = {name for name, value in vars(_errors).items() if isinstance(value, type)}
    assert {name for name in classes if name.endswith("Error")} <= set(deltasource.__all__)


def test_import_star_replaces_no_name_of_spark_or_python() -> None:
    """`from deltasource import *` works next to the same for Spark's packages."""
    others = (
        builtins,
        pyspark.sql,
        pyspark.sql.functions,
        pyspark.sql.streaming,
        pyspark.sql.types,
    )
    taken = {name for one in others for name in getattr(one, "__all__", dir(one))}
    assert taken & set(deltasource.__all__) == set()


def test_importing_does_no_work() -> None:
    """Importing loads no Spark, starts nothing, and needs no environment."""
    code = (
        "import sys, deltasource; "
        "print(sorted({'pyspark', 'py4j', 'argparse', 'subprocess', 'importlib.metadata', "
        "'rich', 'IPython'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def errors() -> list[type[DeltaSourceError]]:
    """Return the errors of the package itself: those of its test helpers are another module's."""
    found = DeltaSourceError.__subclasses__()
    return [error for error in found if error.__name__ in deltasource.__all__]


def test_conditions_never_change() -> None:
    """The conditions of errors never change, and are unique."""
    assert {error.__name__: error.condition for error in errors()} == {
        "BeyondTableError": "DELTASOURCE_OFFSET_BEYOND_TABLE",
        "BuilderError": "DELTASOURCE_NOT_A_BUILDER",
        "CheckpointError": "DELTASOURCE_UNREADABLE_CHECKPOINT",
        "CheckpointInUseError": "DELTASOURCE_CHECKPOINT_IN_USE",
        "CommitError": "DELTASOURCE_UNREADABLE_COMMIT",
        "ConnectError": "DELTASOURCE_CONNECT",
        "JarError": "DELTASOURCE_JAR",
        "LogReadError": "DELTASOURCE_LOG_READ_FAILED",
        "MalformedOffsetError": "DELTASOURCE_MALFORMED_OFFSET",
        "MissingCommitError": "DELTA_MISSING_FILES_UNEXPECTED_VERSION",
        "MissingLibraryError": "DELTASOURCE_MISSING_LIBRARY",
        "NewerOffsetError": "DELTA_INVALID_FORMAT_FROM_SOURCE_VERSION",
        "NoChangeFeedError": "DELTA_MISSING_CHANGE_DATA",
        "NoOffsetError": "DELTASOURCE_NO_OFFSET",
        "NotLoadedError": "DELTASOURCE_NOT_LOADED",
        "OptionsError": "DELTASOURCE_INVALID_OPTIONS",
        "OtherTableError": "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE",
        "OtherTargetError": "DELTASOURCE_OTHER_TARGET",
        "ProgressError": "DELTASOURCE_MALFORMED_PROGRESS",
        "RemotePathError": "DELTASOURCE_REMOTE_PATH",
        "SchemaChangeError": "DELTASOURCE_SCHEMA_CHANGE",
        "SchemaError": "DELTASOURCE_MALFORMED_SCHEMA",
        "SchemaLogError": "DELTA_STREAMING_SCHEMA_LOG_DESERIALIZE_FAILED",
        "SecondDeltaError": "DELTASOURCE_SECOND_DELTA",
        "SessionRunningError": "DELTASOURCE_SESSION_RUNNING",
        "ShadowedError": "DELTASOURCE_SHADOWED",
        "SparkVersionError": "DELTASOURCE_SPARK_VERSION",
        "StartError": "DELTASOURCE_UNREADABLE_START",
        "SubmitArgumentsError": "DELTASOURCE_SUBMIT_ARGUMENTS",
        "TableError": "DELTA_TABLE_NOT_FOUND",
        "UnsupportedReadFeatureError": "DELTA_UNSUPPORTED_FEATURES_FOR_READ",
        "UnsupportedWriteFeatureError": "DELTA_UNSUPPORTED_FEATURES_FOR_WRITE",
    }


def test_the_error_tree_in_the_docstring_is_complete() -> None:
    """The trees at the top of the modules name every error."""
    modules = (_errors, _log_gaps, earlier_batches, feed_property, table_features)
    drawn = "".join(str(module.__doc__) for module in modules)
    assert all(error.__name__ in drawn for error in errors())


@pytest.mark.parametrize(
    "path", [Path("t"), Path("/a/t"), "/a/t", "a/t", "s3a://b/t", "file:t", "hdfs:/t", "./t"]
)
def test_a_slash_a_scheme_or_a_path_object_is_a_path(path: str | Path) -> None:
    """A string with a slash or a scheme, and any path object, is a path."""
    assert is_path(path)


@pytest.mark.parametrize("table", ["t", "db.t", "c.db.t", "`a b`.t", ""])
def test_any_other_string_is_a_table(table: str) -> None:
    """A string without slash and scheme is the name of a table."""
    assert not is_path(table)
