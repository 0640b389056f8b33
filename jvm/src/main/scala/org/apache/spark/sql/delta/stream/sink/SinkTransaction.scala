// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.classic.{SparkSession => ClassicSession}

import org.apache.spark.sql.delta.actions.SetTransaction
import org.apache.spark.sql.delta.hooks.{CheckpointHook, ChecksumHook, PostCommitHook}
import org.apache.spark.sql.delta.{
  CommittedTransaction,
  DeltaLog,
  OptimisticTransaction,
  Snapshot,
  WinningCommitSummary
}

/**
 * Delta's transaction, but for three things: the marker of a query is not looked for in the table's state, a commit
 * whose answer got lost is known as one's own, and checksum files and checkpoints may be written beside what the query
 * does next.
 *
 * @param beside where those are written; none if they belong to the batch
 */
private[sink] final class SinkTransaction(
    log: DeltaLog,
    target: Target,
    read: Snapshot,
    markers: Markers,
    beside: Option[HooksBeside]
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
    beside.isEmpty && super.isCheckpointNeeded(version, after)

  override protected def runPostCommitHook(hook: PostCommitHook, committed: CommittedTransaction): Unit =
    (hook, beside) match {
      case (ChecksumHook, Some(hooks)) =>
        hooks.checksums.begin(ClassicSession.active, committed.committedVersion) {
          super.runPostCommitHook(hook, committed)
        }
      case (CheckpointHook, Some(hooks)) => checkpoint(hooks.checkpoints, committed)
      case _ => super.runPostCommitHook(hook, committed)
    }

  private def checkpoint(checkpoints: Checkpoints, committed: CommittedTransaction): Unit = {
    val after = committed.postCommitSnapshot
    if (checkpoints.isFree && isDue(checkpoints, committed.committedVersion, after))
      checkpoints.write(after.version)(size(after)) {
        val table = apart(after)
        try super.runPostCommitHook(checkpointOf(table), committed)
        finally table.uncache()
      }
  }

  /** The same version with a state of its own: the next commit drops that of the last, and waits while it is built. */
  private def apart(table: Snapshot): Snapshot =
    new Snapshot(table.path, table.version, table.logSegment, table.deltaLog, table.checksumOpt)

  /** What Delta's hook does, which takes the log's own snapshot of the version that was committed. */
  private def checkpointOf(table: Snapshot): PostCommitHook = new PostCommitHook {
    override val name: String = CheckpointHook.name
    override def run(spark: SparkSession, committed: CommittedTransaction): Unit =
      deltaLog.checkpoint(table, catalogTable)
    override def handleError(spark: SparkSession, error: Throwable, version: Long): Unit =
      CheckpointHook.handleError(spark, error, version)
  }

  private def size(table: Snapshot): Checkpoints.LogSize = Checkpoints.LogSize(
    checkpoint = table.checkpointProvider.effectiveCheckpointSizeInBytes(),
    commits = table.logSegment.deltas.map(_.getLen).sum)

  /** When Delta would write one, or if the last is too old: that of then may be lost. */
  private def isDue(checkpoints: Checkpoints, version: Long, after: Snapshot): Boolean = {
    val last = checkpoints.lastVersion.max(after.logSegment.checkpointProvider.version)
    super.isCheckpointNeeded(version, after) ||
    version - last.max(0) >= deltaLog.checkpointInterval(after.metadata)
  }
}
