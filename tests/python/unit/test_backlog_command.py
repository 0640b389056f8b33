# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The command that counts a backlog and evaluates conditions on it."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from deltasource import Checkpoint, Lag, OptionsError
from deltasource.__main__ import main
from deltasource._cli.threshold import MEASURES, parse_threshold
from support.checkpoint_samples import TABLE, add, cdc, checkpoint, commit, offset, remove, table

FROM_LOG = "hours_to_data_loss comes from the log (delta.logRetentionDuration)"


def output(capsys: pytest.CaptureFixture[str], *line: str, code: int = 0) -> tuple[str, str]:
    """Run a command that must exit with this code; return its output."""
    assert main(line) == code
    return capsys.readouterr()


@pytest.mark.parametrize(
    ("conditions", "code", "message"),
    [
        ([], 0, ""),
        (["versions>3", "bytes>=1k", "files<1"], 0, ""),
        (["versions>2", "files > 9"], 1, "versions>2 is true\n"),
        (["versions>=3", "bytes==700"], 1, "versions>=3 is true\nbytes==700 is true\n"),
        (["seconds>3600.5"], 1, "seconds>3600.5 is true\n"),
        (["hours_to_data_loss<24"], 1, f"hours_to_data_loss<24 is true\n{FROM_LOG}\n"),
        (["hours_to_data_loss<1", "versions>9"], 1, f"hours_to_data_loss<1 is true\n{FROM_LOG}\n"),
        (["hours_to_data_loss>24"], 0, ""),
    ],
)
def test_a_backlog_is_counted_and_its_conditions_evaluated(
    conditions: list[str],
    code: int,
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The row is always printed; a true condition gives exit code 1."""
    folder = checkpoint(tmp_path / "c", offset(1), done=[0])
    behind = table(tmp_path / "t", [1], [100, 200], [400], [])
    gates = [part for text in conditions for part in ("--fail-if", text)]
    line = ["backlog", str(folder), str(behind), *gates]
    out, err = output(capsys, *line, code=code)
    assert out.splitlines()[0].split() == list(MEASURES)
    assert (out.splitlines()[1].split()[:3], err) == (["3", "3", "700"], message)
    out, _ = output(capsys, *line, "--format", "json", code=code)
    assert json.loads(out)["ok"] == (code == 0)
    assert json.loads(out)["holding"] == [
        note.removesuffix(" is true") for note in err.splitlines() if note != FROM_LOG
    ]


def test_a_table_without_a_slash_is_a_folder_only_for_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In Python such text is the name of a table; the command has no session for names."""
    checkpoint(tmp_path / "c", offset(1), done=[0])
    table(tmp_path / "orders", [1], [100, 200], [400], [])
    monkeypatch.chdir(tmp_path)
    for missing in ("order", "./order"):
        _, err = output(capsys, "backlog", "c", missing, code=3)
        assert f"{tmp_path}/order is not a Delta table: it does not exist. " in err
        assert f"Did you mean {tmp_path}/orders?" in err
    for name in ("orders", "./orders"):
        output(capsys, "backlog", "c", name)
    _, err = output(capsys, "backlog", "orders", "c", code=3)
    assert "orders is not a checkpoint: it is the folder of a table" in err
    with pytest.raises(OptionsError, match="needs `spark`"):
        Checkpoint("c").backlog("orders")
    assert Checkpoint("c").backlog(Path("orders")).versions == 3


def test_a_condition_on_an_unknown_value_does_not_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A condition on an unknown number gives exit code 3, unless another one is true."""
    folder = str(checkpoint(tmp_path / "c", offset(1, 0, snapshot=True), done=[0]))
    behind = str(table(tmp_path / "t", [1], [100, 200]))
    out, err = output(capsys, "backlog", folder, behind, "--fail-if", "files>1", code=3)
    assert out.splitlines()[1].split()[:3] == ["1", "-", "-"]
    assert err == (
        "files>1 cannot be evaluated: the value is unknown inside the initial snapshot, and if a "
        "commit was cleaned up. The number of versions is always known\n"
    )
    both = ["--fail-if", "files>1", "--fail-if", "versions>0"]
    _, err = output(capsys, "backlog", folder, behind, *both, code=1)
    assert err.splitlines()[0] == "versions>0 is true"


def test_a_file_that_is_gone_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The condition on the time left is true, and the file is named in every format."""
    folder = str(checkpoint(tmp_path / "c", offset(1), done=[0]))
    behind = table(tmp_path / "t", [1])
    commit(behind, 1, add(5, path="a"))
    commit(behind, 2, remove("a", 1000))
    line = ["backlog", folder, str(behind), "--fail-if", "hours_to_data_loss<24"]
    out, err = output(capsys, *line, code=1)
    assert out.splitlines()[0].split() == list(MEASURES)
    assert out.splitlines()[1].split()[-1] == "0.0"
    assert max(map(len, out.splitlines())) <= 80
    assert err == (
        "a file that was not read yet is gone, probably deleted by VACUUM:\n"
        f"  {behind}/a\n"
        "restore it from a copy, or start with a new checkpoint and a new or emptied target\n"
        "hours_to_data_loss<24 is true\n"
    )
    (row,) = json.loads(output(capsys, *line, "--format", "json", code=1)[0])["rows"]
    assert (row["hours_to_data_loss"], row["lost_file"]) == (0.0, f"{behind}/a")
    header, values = output(capsys, *line, "--format", "csv", code=1)[0].splitlines()
    assert dict(zip(header.split(","), values.split(","), strict=True))["lost_file"] == (
        f"{behind}/a"
    )
    for words in ("lost_file==1", "data_loss_limit==1"):
        with pytest.raises(SystemExit):
            main([*line[:3], "--fail-if", words])


def test_what_limits_the_hours_is_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """JSON and CSV have a column for it, and a message has it in words."""
    folder = str(checkpoint(tmp_path / "c", offset(1), done=[0]))
    behind, now = table(tmp_path / "t", [1]), time.time()
    (behind / "a").touch()
    commit(behind, 1, add(5, path="a"), seconds=now)
    commit(behind, 2, remove("a", now), seconds=now)
    line = ["backlog", folder, str(behind), "--fail-if", "hours_to_data_loss<169"]
    out, err = output(capsys, *line, code=1)
    assert "data_loss_limit" not in out
    assert err == (
        "hours_to_data_loss<169 is true\n"
        "hours_to_data_loss comes from the data files (delta.deletedFileRetentionDuration, or the "
        "latest VACUUM)\n"
    )
    (row,) = json.loads(output(capsys, *line, "--format", "json", code=1)[0])["rows"]
    header, values = output(capsys, *line, "--format", "csv", code=1)[0].splitlines()
    assert row["data_loss_limit"] == "data_files"
    assert (header.split(",")[-1], values.split(",")[-1]) == ("data_loss_limit", "data_files")


def test_the_backlog_of_a_change_feed_is_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The option says that the stream reads the change feed, and so other files."""
    folder = str(checkpoint(tmp_path / "c", offset(1), done=[0]))
    behind = table(tmp_path / "t", [1])
    commit(behind, 1, add(5, path="a"), cdc(7, path="_change_data/c"), seconds=time.time())
    line = ["backlog", folder, str(behind)]
    assert output(capsys, *line)[0].splitlines()[1].split()[:3] == ["1", "1", "5"]
    out, err = output(capsys, *line, "--change-feed")
    assert out.splitlines()[1].split()[:3] == ["1", "1", "7"]
    assert err.splitlines()[1] == f"  {behind}/_change_data/c"


def test_a_table_without_a_feed_has_no_backlog_of_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its numbers would be those of files that nothing reads."""
    folder = str(checkpoint(tmp_path / "c", offset(0), done=[0]))
    commit(tmp_path / "t", 0, {"metaData": {"id": TABLE, "configuration": {}}})
    assert main(["backlog", folder, str(tmp_path / "t"), "--change-feed"]) == 3
    said = capsys.readouterr().err
    assert f"- --change-feed must be left out: {tmp_path}/t has no change feed (delta.ena" in said
    assert "got True" not in said


def test_a_log_without_cleanup_passes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """If nothing is ever cleaned up, no condition on the time left is true, and JSON has null."""
    folder = str(checkpoint(tmp_path / "c", offset(0), done=[0]))
    properties = {"delta.enableExpiredLogCleanup": "false"}
    commit(tmp_path / "t", 0, {"metaData": {"id": TABLE, "configuration": properties}})
    line = ["backlog", folder, str(tmp_path / "t"), "--fail-if", "hours_to_data_loss<24"]
    assert output(capsys, *line)[0].split()[-1] == "inf"
    (row,) = json.loads(output(capsys, *line, "--format", "json")[0])["rows"]
    assert row["hours_to_data_loss"] is None


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("versions>9", True),
        ("versions>10", False),
        ("versions>=10", True),
        ("versions<10", False),
        ("versions<=10", True),
        ("versions==10", True),
        ("bytes > 1k", True),
        ("bytes<1k", False),
        ("seconds>0.5", None),
        ("hours_to_data_loss<24", True),
        ("hours_to_data_loss<=23", False),
    ],
)
def test_a_condition_is_compared_with_a_lag(text: str, verdict: bool | None) -> None:
    """Each comparison works, sizes may have units, and values may be unknown."""
    lag = Lag(versions=10, files=0, bytes=2048, seconds=None, hours_to_data_loss=23.5)
    assert parse_threshold(text).is_crossed(lag) is verdict


@pytest.mark.parametrize(
    ("condition", "mistake"),
    [
        ("versions=>10", "=> is not an operator: did you mean versions>=10?"),
        ("versions =< 10", "=< is not an operator: did you mean versions<=10?"),
        ("versions=10", "= is not an operator: did you mean versions==10?"),
        ("versions>>0", ">> is not an operator: did you mean versions>0?"),
        ("versions===0", "=== is not an operator: did you mean versions==0?"),
        ("versions!=10", "!= is not an operator: use one of > >= < <= =="),
        ("version>1", "version is not a column of the backlog: did you mean versions?"),
        ("x>1", "x is not a column of the backlog: use one of versions, files, bytes, "),
        ("versions>many", "versions>many: the limit must be a number that is not negative"),
        ("hours_to_data_loss<24h", "must be a number of hours that is not negative, without a"),
        ("bytes>1.5g", "bytes>1.5g: the limit must be a size such as 1g"),
        ("versions<0", "versions<0 is never true: no value is below 0"),
        ("versions", "must be a condition such as versions>10"),
    ],
)
def test_a_condition_says_which_part_is_wrong(
    condition: str, mistake: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The name, the limit, and a condition that would never sound the alarm."""
    with pytest.raises(SystemExit):
        main(["backlog", "c", str(tmp_path), "--fail-if", condition])
    assert mistake in " ".join(capsys.readouterr().err.split())


def test_all_wrong_conditions_are_reported_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the usage of the command, and before anything is read."""
    line = ["backlog", "c", str(tmp_path)]
    with pytest.raises(SystemExit) as ended:
        main([*line, "--fail-if", "version>1", "--fail-if", "files>1", "--fail-if", "bytes>x"])
    assert ended.value.code == 2
    error = " ".join(capsys.readouterr().err.split())
    assert error.startswith("usage: ")
    assert "did you mean versions?; bytes>x: the limit must be a size such as 1g" in error
