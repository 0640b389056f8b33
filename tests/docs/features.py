# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Renders features.md from the recorded results of delta-spark for the feature scripts."""

from parity.catalogue.features import FEATURES, SCRIPTS
from parity.harness.recorded import Recordings
from parity.harness.trace import failure

HEAD = """# Table features

Whether a stream can read a table that has the feature, starting at its first version. Each cell is
the result of delta-spark 4.4.0, recorded by `tests/parity/catalogue/features.py`. The script
`FEATURE, rows` or `FEATURE, changes` checks that ours gives the same rows and errors. Commits
listed in a manifest are refused ([differences](differences.md)).

**Catalog-managed tables.** Our source reads their commits through the catalog
(`DeltaSourceCoordinatedSuite`). By default, however, a stream of a table that Unity Catalog manages
does not use our source: `spark.databricks.delta.v2.enableMode` is `AUTO`, and Delta passes such a
stream to its V2 connector, with the delta-spark jar and with ours. We do not change that.
Checkpoints stay interchangeable, but such a stream has none of our metrics and planning. To stream
these tables with our source, set the conf to `NONE` (`DeltaSourceManagedTableSuite`). `doctor`
reports which of the two applies.

| feature | row stream | change feed |
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
