# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""A sample of the batch scripts against stock's recordings; `make parity` runs all."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from parity.batch import recorded
from parity.batch.catalogue import CORE, SCRIPTS
from parity.batch.run import Runs
from parity.batch.script import BatchScript, Found, Left, Load, Save
from parity.harness import codec
from parity.harness.both_sides import OURS, STOCK, ScriptRunner
from parity.harness.recorded import StaleError
from parity.harness.trace import Failure
from parity.sink.compare import differences

NAMES = [script.name for script in SCRIPTS]
READ_BY_STOCK = {
    "__v1_save_as_table_overwrite",
    "compression",
    "dataChange",
    "endingTimestamp",
    "endingVersion",
    "maxRecordsPerFile",
    "mergeSchema",
    "optimizeWrite",
    "overwriteSchema",
    "parquet.writer.version",
    "parquetOutputTimestampType",
    "partitionOverwriteMode",
    "readChangeData",
    "readChangeFeed",
    "replaceOn",
    "replaceUsing",
    "replaceWhere",
    "startingTimestamp",
    "startingVersion",
    "targetAlias",
    "timestampAsOf",
    "txnAppId",
    "txnVersion",
    "useNullIntolerantEqualityWithDPO",
    "userMetadata",
    "versionAsOf",
    "writePartitionColumns",
}
"""The options of delta-spark that affect batch reads and writes."""
SCRIPT = BatchScript(name="one", setup=(), steps=(Save("SELECT 1 AS id"), Load()))
FAILED = Failure("save", "kind", "CONDITION", None, (), None)
FOUND = Found({"fields": []}, ("[1]",))
LEFT = Left((None, FOUND), ("a log",), FOUND)


@pytest.fixture(scope="session")
def runs(runner: ScriptRunner, tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return Runs(runner.worker(STOCK), tmp_path_factory.mktemp("batch"))


@pytest.mark.parametrize("script", CORE, ids=[script.name for script in CORE])
def test_ours_does_what_stock_did(runner: ScriptRunner, runs: Runs, script: BatchScript) -> None:
    """Errors, commits, schema and rows of each script equal stock's."""
    assert differences(recorded.left(script), runs.run(script, runner.worker(OURS))) == []


def test_every_option_of_a_batch_is_in_a_script() -> None:
    """A new option of delta-spark without a script would be untested."""
    steps = [step for script in SCRIPTS for step in script.steps if isinstance(step, Save | Load)]
    assert {name for step in steps for name in step.options} >= READ_BY_STOCK


def test_scripts_have_unique_names_and_steps() -> None:
    """Recordings are keyed by name, and no script repeats another."""
    assert len(set(NAMES)) == len(SCRIPTS)
    runs = {codec.written((script.setup, script.steps)) for script in SCRIPTS}
    assert len(runs) == len(SCRIPTS)


def test_exactly_the_scripts_are_recorded() -> None:
    """A recording of a script that was removed would never be checked."""
    recordings = json.loads(recorded.FILE.read_text())["scripts"]
    assert sorted(recordings) == sorted(NAMES)


def test_recordings_hold_nothing_of_the_machine() -> None:
    """A path or an id would differ in the next run."""
    text = recorded.FILE.read_text()
    assert re.search(r"/tmp/|/home/|[0-9a-f]{8}-[0-9a-f]{4}-", text) is None


@pytest.mark.parametrize(
    "other",
    [
        replace(LEFT, ends=(FAILED, FOUND)),
        replace(LEFT, ends=(None, replace(FOUND, rows=()))),
        replace(LEFT, ends=(None, replace(FOUND, schema={}))),
        replace(LEFT, log=("another",)),
        replace(LEFT, table=replace(FOUND, rows=("[2]",))),
    ],
)
def test_each_difference_is_reported(other: Left) -> None:
    """Failures, results of reads, log, schema and rows are compared."""
    assert differences(LEFT, LEFT) == []
    assert len(differences(LEFT, other)) >= 1


def test_a_recording_of_other_steps_is_refused(tmp_path: Path) -> None:
    """A changed script must be recorded again."""
    file = tmp_path / "batch.json"
    recorded.keep([(SCRIPT, LEFT)], file)
    assert differences(recorded.left(SCRIPT, file), LEFT) == []
    with pytest.raises(StaleError, match="make recordings"):
        recorded.left(replace(SCRIPT, steps=SCRIPT.steps[:1]), file)
    with pytest.raises(StaleError, match="make recordings"):
        recorded.left(replace(SCRIPT, setup=("CREATE TABLE",)), file)
