# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""`spark-submit $(python -m deltasource submit-args) app.py` works in each shell, for any path."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deltasource import JarError
from deltasource.__main__ import main
from deltasource._session import bundle
from deltasource._session.command_lines import substituted_flags

SHELLS = [shell for shell in ("sh", "bash", "zsh") if shutil.which(shell)]
NAME = f"deltasource-spark_4.1_2.13-{bundle.package_version()}.jar"


def jar_in(folder: Path) -> Path:
    folder.mkdir(parents=True)
    jar = folder / NAME
    jar.write_text("the jar")
    return jar


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the user's cache folder, which does not exist yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_sh_and_bash_are_tested() -> None:
    """Of the three shells, only zsh may be missing on the machine."""
    assert SHELLS[:2] == ["sh", "bash"]


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_passes_the_arguments_on_as_printed(shell: str) -> None:
    """Each shell makes four words of the output: no quotes arrive at spark-submit."""
    command = f"printf '%s\\n' $({shlex.quote(sys.executable)} -m deltasource submit-args)"
    done = subprocess.run([shell, "-c", command], capture_output=True, text=True, check=True)
    jars, jar, class_path, again = done.stdout.splitlines()
    assert (jars, class_path, again) == ("--jars", "--driver-class-path", jar)
    assert Path(jar).resolve() == bundle.jar_path()


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("folder", ["a b", "it's", "a*", "$HOME", "ä"])
def test_a_path_that_a_shell_would_change_is_replaced_by_a_link(
    shell: str, folder: str, tmp_path: Path, cache: Path
) -> None:
    """The words contain the path of a link to the jar, not of the jar."""
    jar = jar_in(tmp_path / folder)
    flags = substituted_flags(jar)
    command = f"printf '%s\\n' $(printf '%s' {shlex.quote(flags)})"
    done = subprocess.run([shell, "-c", command], capture_output=True, text=True, check=True)
    _, link, _, again = done.stdout.splitlines()
    assert link == again
    assert Path(link).is_relative_to(cache)
    assert (Path(link).name, Path(link).read_text()) == (NAME, "the jar")


def test_the_link_is_kept_and_each_installation_has_its_own(tmp_path: Path, cache: Path) -> None:
    """The second call gives the same path, and another environment another one."""
    one, other = jar_in(tmp_path / "a b"), jar_in(tmp_path / "c d")
    assert substituted_flags(one) == substituted_flags(one) != substituted_flags(other)
    assert len(list(cache.rglob("*.jar"))) == 2


def test_a_cache_with_a_space_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the link is a temporary file; if that folder has a space too, the error says so."""
    jar = jar_in(tmp_path / "a b")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "my cache"))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    assert str(tmp_path / "temporary") in substituted_flags(jar)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "my temporary"))
    with pytest.raises(JarError, match="eval"):
        substituted_flags(jar)


def test_submit_args_takes_the_version_of_spark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--spark 4.1` gives the jar for that version, whatever is installed."""
    jar = jar_in(tmp_path / "jars")
    monkeypatch.setattr(bundle, "_FOLDER", jar.parent)
    assert main(["submit-args", "--spark", "4.1"]) == 0
    assert capsys.readouterr() == (f"--jars {jar} --driver-class-path {jar}\n", "")


def test_submit_args_adds_the_users_jars(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--jars a.jar,b.jar` follow ours: spark-submit takes only one `--jars`."""
    jar = jar_in(tmp_path / "jars")
    monkeypatch.chdir(tmp_path)
    Path("a.jar").touch()
    monkeypatch.setattr(bundle, "_FOLDER", jar.parent)
    assert main(["submit-args", "--spark", "4.1", "--jars", "a.jar,hdfs://b.jar"]) == 0
    printed = capsys.readouterr().out
    assert printed == f"--jars {jar},a.jar,hdfs://b.jar --driver-class-path {jar}\n"
