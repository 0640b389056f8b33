# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0
"""Runs operations in the writer, and records them in the ledger, even if the writer is killed."""

from collections import defaultdict
from collections.abc import Callable

from soak import statement
from soak.ledger import Ledger
from soak.operation import Operation, Optimize, Vacuum
from soak.place import Place
from soak.stream import SoakStream
from soak.table import SoakTable
from soak.table_state import TableState
from support.json_process import JsonProcess, ProcessError


class LedgerWriter:
    """The writer, the ledger, and the state of each table."""

    def __init__(self, start: Callable[[], JsonProcess], place: Place, ledger: Ledger) -> None:
        self._start = start
        self._place = place
        self._ledger = ledger
        self._process = start()
        self._killed = False
        self.states: defaultdict[str, TableState] = defaultdict(TableState)
        self.findings: list[str] = []

    def ready(self) -> None:
        """Wait until the process has started."""
        self._process.ready()

    def create(self, table: SoakTable) -> None:
        sql = statement.create(table, self._uri(table))
        self._process.call("run", sql=sql, number=0)

    def write(
        self,
        table: SoakTable,
        operation: Operation,
        meanwhile: Callable[[], None] | None = None,
        *,
        before_streams: bool = False,
    ) -> None:
        """Run an operation on a table, and call `meanwhile` while it runs."""
        state = self.states[table.key]
        sql = statement.sql(
            operation,
            self._uri(table),
            partitioned=table.partitioned,
            columns=state.extra_columns,
        )
        entry = self._ledger.begin(table.key, operation, before_streams=before_streams)
        committed = self._run(sql, entry.number, self._uri(table), meanwhile)
        self._ledger.end(entry, committed=committed)
        if committed:
            state.apply(operation)

    def maintain(self, stream: SoakStream, operation: Optimize | Vacuum) -> None:
        """Run an operation on the target of a stream, which changes no rows."""
        uri = self._place.uri(stream.target, on_s3=True)
        entry = self._ledger.begin(stream.target, operation)
        committed = self._run(statement.sql(operation, uri), entry.number, uri, None)
        self._ledger.end(entry, committed=committed)

    def kill(self) -> None:
        """Kill the process; its operation is ended by the next one."""
        self._killed = True
        self._process.kill()

    def close(self) -> None:
        self._process.close()

    def _run(self, sql: str, number: int, uri: str, meanwhile: Callable[[], None] | None) -> bool:
        """Run a statement, and return whether it was committed."""
        try:
            self._process.send("run", sql=sql, number=number)
            if meanwhile is not None:
                meanwhile()
            self._process.answer("run")
        except ProcessError as error:
            if not self._killed:
                self.findings.append(f"{sql} failed: {error}")
            self._restart()
            committed: bool = self._process.call("committed", uri=uri, number=number)
            return committed
        return True

    def _restart(self) -> None:
        self._process.kill()
        self._process.close()
        self._killed = False
        self._process = self._start()
        self._process.ready()

    def _uri(self, table: SoakTable) -> str:
        return self._place.uri(table.key, on_s3=table.on_s3)
