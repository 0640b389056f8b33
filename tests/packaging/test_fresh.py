# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""The wheel in a fresh environment, with each line of Spark."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from support import build
from support.build import LINES
from support.pages import blocks, words

ROOT = Path(__file__).resolve().parents[2]
NEWEST = "newest"
"""The latest patch release of the newest line. Other lines: the PySpark of their environments."""
SMALL = (
    "spark.ui.enabled false",
    "spark.sql.shuffle.partitions 2",
    "spark.databricks.delta.snapshotPartitions 2",
)
# Nothing may be fetched at run time: the proxy is a port where nothing listens.
NOWHERE = " ".join(f"-D{s}.proxyHost=127.0.0.1 -D{s}.proxyPort=9" for s in ("http", "https"))
PROOF = """
import pyspark
assert __import__("sys").prefix != __import__("sys").base_prefix
print("proved", pyspark.__version__, deltasource.doctor(spark).ok)
"""
CONFS = {
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
}
WORKOUT = Path(__file__).parent / "scripts" / "workout.py"
VERSION = (ROOT / "VERSION").read_text(encoding="utf-8").strip()


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the wheel, built as `make wheel` does."""
    folder = tmp_path_factory.mktemp("wheel")
    build = ("-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder))
    _run([sys.executable, *build, str(ROOT / "python")], folder)
    [made] = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def python(
    request: pytest.FixtureRequest, wheel: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """Return the Python of a virtual environment with only PySpark and the wheel."""
    folder = tmp_path_factory.mktemp("environment")
    fresh = folder / "fresh"
    _run([sys.executable, "-m", "venv", str(fresh)], folder)
    pip = (str(fresh / "bin" / "python"), "-m", "pip", "--disable-pip-version-check")
    if request.param == NEWEST:
        _run([*pip, "install", "--quiet", f"pyspark=={LINES[-1]}.*", str(wheel)], folder)
    else:
        _run([*pip, "install", "--quiet", str(wheel)], folder)
        _link_pyspark(request.param, fresh)
    yield fresh / "bin" / "python"
    # Half a gigabyte that is not needed afterwards.
    shutil.rmtree(fresh)


def _link_pyspark(line: str, fresh: Path) -> None:
    """Link the PySpark of a line's environment, as unpacking one takes a minute."""
    [packages] = fresh.glob("lib/python*/site-packages")
    environment = build.python(line).parents[1]
    for pattern in ("pyspark", "pyspark-*.dist-info", "py4j", "py4j-*.dist-info"):
        [installed] = environment.glob(f"lib/python*/site-packages/{pattern}")
        (packages / installed.name).symlink_to(installed)


# The newest line runs both tests, each other line one of them.
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("python", [LINES[0], NEWEST], indirect=True)
def test_the_readmes_stream_runs_in_a_fresh_environment(python: Path, tmp_path: Path) -> None:
    """Installed with PySpark alone, the wheel prints what the README shows, without a network."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.split("\n## A stream\n")[1].split("\n## ")[0]
    found = blocks(section)
    code = "".join(block.text for block in found if block.language == "python")
    shown = [block.text for block in found if block.language == "text"]
    assert shown, "the README shows no output of its first stream"
    (tmp_path / "app.py").write_text(code + PROOF, encoding="utf-8")
    (tmp_path / "spark-defaults.conf").write_text("\n".join(SMALL), encoding="utf-8")
    printed = _run([str(python), "app.py"], tmp_path, conf=tmp_path)
    *output, proof = filter(None, words(printed))
    assert output == [line for text in shown for line in words(text)]
    assert re.fullmatch(r"proved 4\.[012]\.\d+ True", proof), proof


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("python", [*LINES[1:-1], NEWEST], indirect=True)
def test_packages_works_in_a_fresh_environment(python: Path, tmp_path: Path) -> None:
    """`spark-submit --packages` takes the line's jar from a local repository, without a network."""
    about = "import pyspark as p; print(p.__version__, p.__path__[0], sep='\\n')"
    version, home = _run([str(python), "-c", about], tmp_path).splitlines()
    name = f"deltasource-spark_{'.'.join(version.split('.')[:2])}_2.13"
    # Neither the network nor the user's own repositories may be used.
    confs = {**CONFS, "spark.jars.ivy": tmp_path / "ivy", "spark.pyspark.python": python}
    settings = [f"{key} {value}" for key, value in confs.items()]
    (tmp_path / "spark-defaults.conf").write_text("\n".join([*SMALL, *settings]), encoding="utf-8")
    options = {
        "--packages": f"io.github.deltasource:{name}:{VERSION}",
        "--repositories": (ROOT / "jvm" / "target" / "maven").as_uri(),
        "--driver-java-options": f"-Duser.home={tmp_path / 'home'}",
    }
    submit = str(Path(home, "bin", "spark-submit"))
    command = [submit, *(word for option in options.items() for word in option)]
    printed = _run([*command, str(WORKOUT), str(tmp_path)], tmp_path, conf=tmp_path)
    seen = json.loads(printed.splitlines()[-1])
    jar = tmp_path / "ivy" / "jars" / f"io.github.deltasource_{name}-{VERSION}.jar"
    assert list(jar.parent.iterdir()) == [jar]
    assert (seen["copies"], Path(seen["origin"]).name) == (1, jar.name)
    assert (seen["stream"], seen["streamed"], seen["time travel"]) == ("DeltaSource", 15, 3)


def _run(command: Sequence[str], folder: Path, *, conf: Path | None = None) -> str:
    """Run a command without the caller's environment; offline if given a folder for settings."""
    foreign = ("SPARK_", "PYSPARK_", "PYTHON", "VIRTUAL_ENV")
    env = {key: value for key, value in os.environ.items() if not key.startswith(foreign)}
    if conf is not None:
        proxies = dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), "http://127.0.0.1:9")
        env |= {**proxies, "SPARK_CONF_DIR": str(conf), "JAVA_TOOL_OPTIONS": NOWHERE}
    done = subprocess.run(
        command, cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-5000:]}"
    return done.stdout
