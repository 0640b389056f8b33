# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The README's stream on an object store."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from object_stores.store import ObjectStore, connector
from object_stores.store_request import RequestKind
from support.pages import blocks, words

SMALL = {
    "spark.ui.enabled": "false",
    "spark.driver.memory": "1g",
    "spark.master": "local[2]",
    "spark.sql.shuffle.partitions": "2",
    "spark.databricks.delta.snapshotPartitions": "2",
}


def test_the_readmes_stream_runs_on_an_object_store(
    root: Path, store: ObjectStore, tmp_path: Path
) -> None:
    """With table, copy and checkpoint on s3a://, it prints the rows the README shows."""
    readme = (root / "README.md").read_text(encoding="utf-8")
    found = blocks(readme.split("\n## A stream\n")[1].split("\n## ")[0])
    code = "".join(block.text for block in found if block.language == "python")
    shown = [block.text for block in found if block.language == "text"]
    assert '"./' in code
    (tmp_path / "app.py").write_text(code.replace('"./', f'"{store.uri("readme")}/'))
    confs = {**SMALL, **store.confs(), "spark.jars": ",".join(map(str, connector()))}
    lines = (f"{key} {value}" for key, value in confs.items())
    (tmp_path / "spark-defaults.conf").write_text("\n".join(lines), encoding="utf-8")
    with store.recorded() as requests:
        done = subprocess.run(
            [sys.executable, "app.py"],
            cwd=tmp_path,
            env={**os.environ, "SPARK_CONF_DIR": str(tmp_path), "SPARK_LOCAL_IP": "127.0.0.1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
        )
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-5000:]}"
    assert list(filter(None, words(done.stdout))) == [
        line for text in shown for line in words(text)
    ]
    # The table is not in a local folder of that name.
    assert sorted(path.name for path in tmp_path.iterdir()) == ["app.py", "spark-defaults.conf"]
    written = {one.key.split("/")[1] for one in requests if one.kind is RequestKind.PUT}
    assert written == {"numbers", "copy", "checkpoint"}
