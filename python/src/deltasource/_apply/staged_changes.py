# Copyright 2026 The deltasource authors
# SPDX-License-Identifier: Apache-2.0

"""The changes between snapshots, stored in the checkpoint until they are applied.

They are a Delta table in the folder `_snapshot_changes` of the checkpoint. Each of its commits has
the changes of one snapshot, and says in its user metadata which one: so a snapshot is either stored
with all its changes, or not at all.
"""

from __future__ import annotations

import json
import os
import posixpath
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from deltasource._checkpoint.paths import is_checkpoint, resolve_path
from deltasource._errors import NotLoadedError
from deltasource._options import keys as options
from deltasource._options.validation import Rule, validate
from deltasource._read.stream import load_if_exists
from deltasource._session import jvm
from deltasource._text import name_to_describe
from deltasource._types import SessionLike

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

NO_SQL: Final = (
    "apply_snapshots uses Delta's SQL, which this session does not know: `attach` cannot add it. "
    "Use a session that `deltasource.configure` has set up"
)
OF_A_QUERY: Final = (
    "must be new, or the checkpoint of an earlier call of apply_snapshots, and is that of a query: "
    "choose another folder"
)
FOLDER: Final = "_snapshot_changes"


@dataclass(frozen=True)
class TableVersion:
    """A version of a table, and the id of the table."""

    version: int
    table_id: str

    @classmethod
    def latest(cls, spark: SessionLike, path_or_table: str | os.PathLike[str]) -> TableVersion:
        """Return the latest version of a table that exists; raises what `_latest_commit` raises."""
        version = _latest_commit(spark, path_or_table, "version")
        name = name_to_describe(path_or_table)
        details = spark.sql(f"DESCRIBE DETAIL {name}").select("id").collect()
        return cls(version, details[0][0])

    @classmethod
    def parse(cls, text: str) -> TableVersion:
        """Parse what `to_json` returns."""
        fields = json.loads(text)
        return cls(fields["version"], fields["tableId"])

    def to_json(self) -> str:
        """Return the version as text that is stored."""
        return json.dumps({"version": self.version, "tableId": self.table_id})


@dataclass(frozen=True)
class StagedChanges:
    """The changes between snapshots that a checkpoint has.

    Args:
        spark: A session of classic Spark or of Spark Connect.
        checkpoint: The folder of the checkpoint.
    """

    spark: SessionLike
    checkpoint: str

    @property
    def path(self) -> str:
        """The folder of the table."""
        return posixpath.join(self.checkpoint, FOLDER)

    def last(self) -> TableVersion | None:
        """Return the last snapshot whose changes are stored; None in a new checkpoint.

        Raises OptionsError if it is the checkpoint of a query.
        """
        if load_if_exists(self.spark, self.path) is None:
            validate(self._rule())
            return None
        return TableVersion.parse(_latest_commit(self.spark, self.path, "userMetadata"))

    def _rule(self) -> Rule:
        """Return the rule for a checkpoint without stored changes, which Connect cannot read."""
        is_new = jvm.classic_session(self.spark) is None or not is_checkpoint(
            resolve_path(self.checkpoint, self.spark)
        )
        return "checkpoint", self.checkpoint, is_new, OF_A_QUERY

    def append(self, changes: DataFrame, snapshot: TableVersion) -> None:
        """Store the changes of a snapshot."""
        writer = changes.write.format("delta").mode("append")
        given = {options.MERGE_SCHEMA: "true", options.USER_METADATA: snapshot.to_json()}
        writer.options(**given).save(self.path)


def _latest_commit(spark: SessionLike, path_or_table: str | os.PathLike[str], column: str) -> Any:
    """Return what the history of a table says about its latest commit.

    Raises NotLoadedError if the session does not know Delta's SQL.
    """
    from pyspark.errors import ParseException

    try:
        history = spark.sql(f"DESCRIBE HISTORY {name_to_describe(path_or_table)} LIMIT 1")
        return history.select(column).collect()[0][0]
    except ParseException:
        raise NotLoadedError(NO_SQL) from None
