# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""What stock gave for each sink script."""

import json
from collections.abc import Iterable
from pathlib import Path

from parity import codec
from parity.recorded import FOLDER, StaleError, compact, stock_version
from parity.sink.script import Outcome, SinkScript
from parity.store import digest

FILE = FOLDER / "sink.json"


def outcome(script: SinkScript, file: Path = FILE) -> Outcome:
    """Raise StaleError if it is not of the script as it is now, or not of this stock."""
    empty = '{"stock": "", "scripts": {}}'
    told = json.loads(file.read_text() if file.is_file() else empty)
    found = told["scripts"].get(script.name)
    if found is None or found["script"] != played(script) or told["stock"] != stock_version():
        raise StaleError(
            f"no recording of {script.name!r} as it is now, by delta-spark {stock_version()}: "
            "run `make recordings`"
        )
    read: Outcome = codec.value(found["outcome"])
    return read


def keep(outcomes: Iterable[tuple[SinkScript, Outcome]], file: Path = FILE) -> None:
    """In place of all that was there."""
    lines = ",\n".join(
        f"{compact(script.name)}:"
        f"{compact({'script': played(script), 'outcome': codec.plain(outcome)})}"
        for script, outcome in outcomes
    )
    file.write_text(f'{{"stock":{compact(stock_version())},"scripts":{{\n{lines}\n}}}}\n')


def played(script: SinkScript) -> str:
    """The digest of what is run."""
    return digest((script.steps, script.folder))
