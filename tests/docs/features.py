# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Renders table-features.md from the recorded results of delta-spark for the feature scripts."""

from collections.abc import Mapping

from parity.catalogue.features import FEATURES, SCRIPTS
from parity.harness.recorded import Recordings
from parity.harness.trace import failure

HEAD = """# Table features: which tables can a stream read?

The table [below](#features) says, for each feature, whether a stream that starts at a table's first
version can read a table that has it. Each cell is the result of delta-spark 4.4.0, recorded by
`tests/parity/catalogue/features.py`. The tests check that deltasource gives the same rows and
errors. Commits that list their files in a separate manifest are [not supported
yet](errors/DELTASOURCE_NOT_YET_SUPPORTED.md).

Tables that a stream writes are tested with these features:

- With `write_stream`, compared with delta-spark, each alone: deletion vectors, column mapping by
  name (with a partition column), liquid clustering, generated, identity and default columns, check
  constraints, `NOT NULL`, row tracking, in-commit timestamps, a change feed, v2 checkpoints.
- With `apply_changes`: column mapping by name, deletion vectors and liquid clustering together; a
  change feed together with deletion vectors; partitions, with and without deletion vectors;
  generated columns.

## Unity Catalog

By default, a stream of a table that Unity Catalog manages does not use our source: Delta reads it
with another one, its V2 connector, whether you use the jar of delta-spark or ours. Such a stream
has none of our metrics and planning; delta-spark and deltasource can still continue each other's
checkpoints. To stream these tables with our source, set `spark.databricks.delta.v2.enableMode` to
`NONE` in the session (`AUTO` by default). [`doctor`](command-line.md#doctor) reports which of the
two applies. Our source reads their commits through the catalog, so give the table by its name, not
by its path. The tests use a catalog of their own (`DeltaSourceManagedTableSuite`); we have not run
it with Unity Catalog. We have not tried a managed table as the target of a stream either.

## Features

| feature | row stream | change feed |
| --- | --- | --- |
"""


SHOWN: Mapping[str, str] = {
    "column mapping, nested columns renamed at first": (
        "column mapping, nested columns renamed before the first row"
    ),
    "names with dots, spaces and other letters": "names with dots, spaces and special characters",
    "columns that are never null": "`NOT NULL` columns",
    "checkpoints in parts": "multi-part checkpoints",
    "a writer feature that nobody knows": "an unknown writer feature",
    "a reader feature that nobody knows": "an unknown reader feature",
    "none": "(no table feature)",
    "partition columns anywhere": "partition columns that are not the last columns",
    "a feature dropped": "a feature that was dropped again",
    "clustering": "liquid clustering",
    "column mapping, deletion vectors and clustering": (
        "column mapping, deletion vectors and liquid clustering"
    ),
}
"""Names in the words of the page; recordings keep the names of the scripts."""


def page(recordings: Recordings) -> str:
    """Render a row for each feature."""
    scripts = {script.name: script for script in SCRIPTS}

    def cell(name: str) -> str:
        found = failure(recordings.trace("features", scripts[name]))
        return f"refused: `{found.name}`" if found else "read"

    names = [(SHOWN.get(feature.name, feature.name), feature.name) for feature in FEATURES]
    lines = [
        f"| {name} | {cell(f'{script}, rows')} | {cell(f'{script}, changes')} |"
        for name, script in names
    ]
    return HEAD + "\n".join(lines) + "\n"
