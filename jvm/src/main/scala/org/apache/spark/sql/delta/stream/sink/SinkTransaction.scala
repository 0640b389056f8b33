// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.delta.actions.SetTransaction
import org.apache.spark.sql.delta.hooks.{CheckpointHook, PostCommitHook}
import org.apache.spark.sql.delta.{
  CommittedTransaction,
  DeltaLog,
  OptimisticTransaction,
  Snapshot,
  WinningCommitSummary
}

/**
 * Delta's transaction, but for three things: the marker of a query is not looked for in the table's state, a commit
 * whose answer got lost is known as one's own, and checkpoints may be written beside the batches that follow.
 *
 * @param checkpoints where those are written; none if they belong to the batch
 */
private[sink] final class SinkTransaction(
    log: DeltaLog,
    target: Target,
    read: Snapshot,
    markers: Markers,
    checkpoints: Option[Checkpoints]
) extends OptimisticTransaction(log, target.catalogTable, read) {

  /** The last batch of the query that the table has. From here on a commit of the same query is a conflict. */
  def marker(): Option[SetTransaction] = {
    readTxn += markers.queryId
    markers.last(snapshot)
  }

  /** Delta does so only where a conf asks for it; without, a batch that was committed fails. */
  override protected def detectIdempotentSelfCommit(
      winning: WinningCommitSummary,
      firstWinningVersion: Long): Option[Long] =
    Option.when(winning.commitInfo.flatMap(_.txnId).contains(txnId))(winning.commitVersion)

  /** One that is written later is none of the commit's: Delta would build the table's state for it on the way. */
  override protected def isCheckpointNeeded(version: Long, after: Snapshot): Boolean =
    checkpoints.isEmpty && super.isCheckpointNeeded(version, after)

  override protected def runPostCommitHook(hook: PostCommitHook, committed: CommittedTransaction): Unit =
    checkpoints.filter(_ => hook == CheckpointHook) match {
      case Some(behind) =>
        if (behind.isFree && isDue(behind, committed.committedVersion, committed.postCommitSnapshot)) {
          val due = committed.maintenanceOperation.copy(shouldCheckpoint = true)
          behind.write(committed.committedVersion)(size(committed.postCommitSnapshot)) {
            super.runPostCommitHook(hook, committed.copy(maintenanceOperation = due))
          }
        }
      case None => super.runPostCommitHook(hook, committed)
    }

  private def size(table: Snapshot): Checkpoints.LogSize = Checkpoints.LogSize(
    checkpoint = table.checkpointProvider.effectiveCheckpointSizeInBytes(),
    commits = table.logSegment.deltas.map(_.getLen).sum)

  /** When Delta would write one, or if the last is too old: that of then may be lost. */
  private def isDue(behind: Checkpoints, version: Long, after: Snapshot): Boolean = {
    val last = behind.lastVersion.max(after.logSegment.checkpointProvider.version)
    super.isCheckpointNeeded(version, after) ||
    version - last.max(0) >= deltaLog.checkpointInterval(after.metadata)
  }
}
