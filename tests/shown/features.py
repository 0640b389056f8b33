# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Renders docs/features.md from what delta-spark gave for the scripts about features."""

from parity.catalogue.features import FEATURES, SCRIPTS
from parity.recorded import Recordings
from parity.trace import failure

HEAD = """# Table features

What a stream does with a table that has the feature, read from its first version on. Made from the
recordings of `tests/parity/catalogue/features.py`: a cell is what delta-spark 4.4.0 gave, and the
script `FEATURE, rows` or `FEATURE, changes` holds ours to it, rows and errors. Commits
listed in a manifest are refused ([differences](differences.md)).

**Catalog-managed tables.** Our source reads their commits through the catalog
(`DeltaSourceCoordinatedSuite`). But a stream of a table that Unity Catalog manages does not reach
it by default: `spark.databricks.delta.v2.enableMode` is `AUTO`, and Delta gives such a stream to
its V2 connector, with the jar of delta-spark and with ours. We leave that as it is: checkpoints
stay interchangeable, but such a stream has none of our metrics and planning. Set the conf to `NONE`
to stream these tables with our source (`DeltaSourceManagedTableSuite`); `doctor` reports which
applies.

| feature | stream of rows | change feed |
| --- | --- | --- |
"""


def page(recordings: Recordings) -> str:
    """Render a row for each feature."""
    scripts = {script.name: script for script in SCRIPTS}

    def cell(name: str) -> str:
        found = failure(recordings.trace("features", scripts[name]))
        return f"refused: `{found.name}`" if found else "read"

    lines = [
        f"| {feature.name} | {cell(f'{feature.name}, rows')} | {cell(f'{feature.name}, changes')} |"
        for feature in FEATURES
    ]
    return HEAD + "\n".join(lines) + "\n"
