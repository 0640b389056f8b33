// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.catalog.CatalogTable

import org.apache.spark.sql.delta.stream.model.{CommitFile, CommitIdentity, StreamErrors}
import org.apache.spark.sql.delta.{DeltaLog, DeltaThrowable, LogSegment, Snapshot}

/**
 * Finds the latest version of a table. Delta lists the log for that. It does not need to if it did so
 * recently, or committed a version itself, and lookups by name show that the last commit then is still the
 * last.
 *
 * @param listInterval milliseconds for which a listing, confirmed by lookups by name, is recent enough; 0
 *                     lists each time
 */
private[delta] final class LatestSnapshotProvider(
    deltaLog: DeltaLog,
    catalogTable: Option[CatalogTable],
    listInterval: Long) {

  /**
   * Returns the snapshot of the latest version, of version -1 if there is no table. Fails with Delta's error, and what
   * to do, if a commit is missing between others.
   */
  def get(): Snapshot = {
    val since = Option.when(listInterval > 0 && isStillLatest(deltaLog.unsafeVolatileSnapshot)) {
      deltaLog.clock.getTimeMillis() - listInterval
    }
    try deltaLog.update(checkIfUpdatedSinceTs = since, catalogTableOpt = catalogTable)
    catch {
      case NonFatal(gap: DeltaThrowable) => throw StreamErrors.explained(gap, deltaLog.dataPath.toString)
    }
  }

  private def isStillLatest(snapshot: Snapshot): Boolean = {
    val commits = CommitFinder.of(deltaLog, catalogTable, snapshot)
    commits.hasCheapLookup && snapshot.version >= 0 &&
    commits.findKnown(snapshot.version).exists(isSameCommit(_, snapshot.logSegment)) &&
    commits.find(snapshot.version + 1).isEmpty
  }

  /**
   * Whether the file is the last commit of that log segment. It is not if the table was recreated. If the
   * comparison is undecided the answer is no, and the log is listed. If the segment has only a checkpoint of
   * that version, just the modification time of its commit file is known.
   */
  private def isSameCommit(file: CommitFile, segment: LogSegment): Boolean =
    file.status.getModificationTime == segment.lastCommitFileModificationTimestamp &&
      segment.deltas.filter(_.getPath.getName == file.status.getPath.getName).forall { listed =>
        file.identity.compare(CommitFile(file.version, listed).identity) == CommitIdentity.Same
      }
}
