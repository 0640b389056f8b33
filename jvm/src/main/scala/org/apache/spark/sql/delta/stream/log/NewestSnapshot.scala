// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.spark.sql.catalyst.catalog.CatalogTable

import org.apache.spark.sql.delta.{DeltaLog, LogSegment, Snapshot}

/**
 * The newest version of a table. Delta lists the log for it; it need not where it has just done so, or has committed a
 * version itself, and looks by name show that the last commit of then is still the last.
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

  private def isLast(known: Snapshot): Boolean = {
    val commits = CommitFiles.of(deltaLog, catalogTable, known)
    commits.byName && known.version >= 0 &&
    commits.find(known.version).exists(isSame(_, known.logSegment)) &&
    commits.find(known.version + 1).isEmpty
  }

  /**
   * A table that was recreated has another file there. If that is undecided the log is listed. Of a version whose
   * checkpoint is all that was listed only the time of its commit is known.
   */
  private def isSame(file: CommitFile, segment: LogSegment): Boolean =
    file.status.getModificationTime == segment.lastCommitFileModificationTimestamp &&
      segment.deltas.filter(_.getPath.getName == file.status.getPath.getName).forall { known =>
        file.identity.compare(CommitFile(file.version, known).identity) == CommitIdentity.Same
      }
}
