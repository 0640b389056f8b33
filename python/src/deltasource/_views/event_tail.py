# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""Follows a file that `json_lines` writes, as `tail -F` does."""

from __future__ import annotations

import os
from collections.abc import Sequence
from io import BufferedReader
from pathlib import Path

from deltasource._errors import ProgressError
from deltasource._monitor.event_file import (
    READ_ALLOWED,
    begins_like_event,
    no_events,
    parse_line,
)
from deltasource._monitor.events import Event
from deltasource._options.validation import validate


class EventTail:
    """The events that have been added to a file since the last call of `poll`.

    The first call returns all events of the file. A file that log rotation moves away is read to
    its end, and then the new one from its start; a file that is cut to nothing is read from its
    start again. A line without its end is read later. A line that is not an event, such as one
    whose writer was killed, is skipped and counted.

    Args:
        path: A local file that exists.

    Raises:
        OptionsError: The file does not exist.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        file = Path(path)
        validate(("file", str(path), file.is_file(), READ_ALLOWED))
        self._path = file
        self._open: BufferedReader = file.open("rb")
        self._number = 0
        self._partial = b""
        self._found_any = False
        self._skipped = 0
        self._first_skipped = ""

    @property
    def note(self) -> str:
        """How many lines were skipped, and the first of them; empty if none was."""
        if not self._skipped:
            return ""
        return f"lines skipped, which are not events: {self._skipped:,}; {self._first_skipped}"

    def poll(self) -> Sequence[Event]:
        """Return the new events.

        Raises ProgressError if the file never had an event, and has a line that is none, or an
        unfinished one that cannot become one.
        """
        events = self._read_files()
        self._found_any = self._found_any or bool(events)
        problem = self._first_skipped or self._problem_of_last_line()
        if problem and not self._found_any:
            raise no_events(self._path, problem)
        return events

    def _read_files(self) -> list[Event]:
        events = self._read()
        current = self._current()
        if current is None:
            # Between two files; the old one may still grow.
            return events
        if not os.path.samestat(current, os.fstat(self._open.fileno())):
            # What was written between reading and moving.
            events += self._read()
            self._restart(self._path.open("rb"))
            events += self._read()
        elif current.st_size < self._open.tell():
            self._open.seek(0)
            self._restart(self._open)
            events += self._read()
        return events

    def close(self) -> None:
        """Close the file."""
        self._open.close()

    def _read(self) -> list[Event]:
        events: list[Event] = []
        for line in self._open:
            if not line.endswith(b"\n"):
                self._partial += line
                break
            self._number += 1
            whole, self._partial = self._partial + line, b""
            try:
                events.append(parse_line(whole, self._place(self._number)))
            except ProgressError as error:
                self._skipped += 1
                self._first_skipped = self._first_skipped or error.args[0]
        return events

    def _problem_of_last_line(self) -> str:
        """Return why the line without its end cannot become an event; empty if it can."""
        if not self._partial or begins_like_event(self._partial):
            return ""
        try:
            parse_line(self._partial, self._place(self._number + 1))
        except ProgressError as error:
            return str(error.args[0])
        return ""

    def _place(self, number: int) -> str:
        return f"{self._path}, line {number}"

    def _current(self) -> os.stat_result | None:
        """Return the state of the file that the path names now, or None if it names none."""
        try:
            return self._path.stat()
        except FileNotFoundError:
            return None

    def _restart(self, file: BufferedReader) -> None:
        if file is not self._open:
            self._open.close()
        self._open, self._number, self._partial = file, 0, b""
