# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""A file of events, one JSON value in each line, which `json_lines` writes."""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Final

from deltasource._errors import ProgressError
from deltasource._monitor.event_json import from_json, to_json
from deltasource._monitor.events import Event
from deltasource._options.keyword_hints import with_keyword_hints
from deltasource._options.validation import validate
from deltasource._text import short_repr

READ_ALLOWED: Final = "must be a local file that exists"


def append_event(file: Path, event: Event) -> None:
    """Append an event to a file, on a new line even if a writer died in the middle of the last."""
    line = json.dumps(to_json(event), separators=(",", ":"), allow_nan=False)
    with file.open("a+b") as lines:
        torn = False
        if lines.tell():
            lines.seek(-1, os.SEEK_END)
            torn = lines.read(1) != b"\n"
        lines.write(b"\n" * torn + f"{line}\n".encode())


@with_keyword_hints
def read_events(path: str | os.PathLike[str]) -> Iterator[Event]:
    """Read the events of a file that `json_lines` has written, one at a time.

    The beginning of an event at the end of the file is left out: a line that starts with "{", is
    not complete JSON and has no newline. Its writer is still writing it, or was killed.

    Args:
        path: A local file that exists.

    Returns:
        The events in the order of the file. A line is read when its event is asked for, so the file
        may be larger than the memory.

    Raises:
        OptionsError: The file does not exist.
        ProgressError: A line is not an event; the message has its number. Raised by the iterator,
            after the events of the lines before.

    Example:
        >>> from deltasource import QueryFailed, read_events
        >>> events = read_events("progress.jsonl")  # doctest: +SKIP
        >>> [str(one) for one in events if isinstance(one, QueryFailed)]  # doctest: +SKIP
        ["'orders' failed in batch 7: [FOREACH_BATCH_USER_FUNCTION_ERROR] ValueError: no amount"]
    """
    validate(("path", path, _is_file(path), READ_ALLOWED))
    return _events(Path(path))


def _is_file(path: object) -> bool:
    return isinstance(path, str | os.PathLike) and Path(path).is_file()


def _events(file: Path) -> Generator[Event, None, None]:
    for number, line in numbered_lines(file):
        yield parse_line(line, f"{file}, line {number}")


def numbered_lines(file: Path) -> Generator[tuple[int, bytes], None, None]:
    """Read the lines of a file with their numbers, without the beginning of an event at its end."""
    with file.open("rb") as lines:
        for number, line in enumerate(lines, start=1):
            if _is_incomplete(line):
                # The rest, if it is written meanwhile, is not a line of its own.
                return
            yield number, line


def begins_like_event(line: bytes) -> bool:
    """Whether a line without a newline may be an event that is still being written."""
    return line.startswith(b"{")


def _is_incomplete(line: bytes) -> bool:
    if line.endswith(b"\n") or not begins_like_event(line):
        return False
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return True
    return False


def parse_line(line: bytes, place: str) -> Event:
    """Return the event of a line; ProgressError names the place of a line that is not an event."""
    try:
        return from_json(json.loads(line))
    except ProgressError as error:
        raise ProgressError(f"{place}: {error.args[0]}") from error
    except (ValueError, RecursionError) as error:
        text = line.decode(errors="replace").strip()
        raise ProgressError(f"{place}: this is not JSON: {short_repr(text)}") from error


def no_events(file: object, problem: str) -> ProgressError:
    """Return the error of a file with lines, none of which is an event."""
    return ProgressError(
        f"{file}: no line of this file is an event, so it is not one that json_lines writes: "
        f"{problem}"
    )
