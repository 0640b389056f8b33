// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.spark.sql.catalyst.catalog.CatalogTable

import org.apache.spark.sql.delta.{DeltaLog, Snapshot}

/**
 * The newest version of a table. Delta lists the log for it; it need not where it has just done so, and looks by name
 * show that the last commit of then is still the last.
 *
 * @param listInterval for so many milliseconds a listing is good enough beside looks by name; 0 lists each time
 */
final class NewestSnapshot(deltaLog: DeltaLog, catalogTable: Option[CatalogTable], listInterval: Long) {

  def get(): Snapshot = {
    val since = Option.when(listInterval > 0 && isLast(deltaLog.unsafeVolatileSnapshot)) {
      deltaLog.clock.getTimeMillis() - listInterval
    }
    deltaLog.update(checkIfUpdatedSinceTs = since, catalogTableOpt = catalogTable)
  }

  /** A table that was made anew has another file there, by its time. */
  private def isLast(known: Snapshot): Boolean = {
    val commits = CommitFiles.of(deltaLog, catalogTable, known)
    commits.byName && known.version >= 0 &&
    commits.find(known.version).exists(
      _.status.getModificationTime == known.logSegment.lastCommitFileModificationTimestamp) &&
    commits.find(known.version + 1).isEmpty
  }
}
