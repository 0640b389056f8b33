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
 * Delta's transaction, with three differences:
 *
 *  - the query's last SetTransaction comes from [[SetTransactionLookup]], which builds the table's state
 *    only as a last resort;
 *  - a commit whose response was lost is recognized as the transaction's own;
 *  - checksum files and checkpoints may be written in the background.
 *
 * @param baseSnapshot the version of the target that the transaction reads
 * @param asyncHooks   writes checksum files and checkpoints in the background; if None, they are written as
 *                     part of the batch
 */
private[delta] final class SinkTransaction private[sink] (
    log: DeltaLog,
    target: Target,
    baseSnapshot: Snapshot,
    lookup: SetTransactionLookup,
    asyncHooks: Option[AsyncPostCommitHooks]
) extends OptimisticTransaction(log, target.catalogTable, baseSnapshot) {

  /**
   * Returns the query's last SetTransaction in the table. From here on another commit of the same query is a
   * conflict, and Delta fails this transaction.
   *
   * @param cached its last SetTransaction at an earlier version, if known
   */
  def readSetTransaction(cached: Option[SetTransactionLookup.Cached]): Option[SetTransaction] = {
    readTxn += lookup.queryId
    lookup.find(snapshot, cached)
  }

  /** Sets properties of the table that mean nothing to Delta, also if the transaction changes its metadata already. */
  private[stream] def setProperties(properties: Map[String, String]): Unit = {
    val changed = properties.filterNot { case (name, value) =>
      metadata.configuration.get(name).contains(value)
    }
    if (changed.nonEmpty) {
      val updated = metadata.copy(configuration = metadata.configuration ++ changed)
      if (newMetadata.isEmpty) updateMetadata(updated) else newMetadata = Some(updated)
    }
  }

  /**
   * Returns the version of the winning commit if this transaction made it. Delta checks that only if a conf
   * is set; without the check, a batch that was committed fails.
   */
  override protected def detectIdempotentSelfCommit(
      winning: WinningCommitSummary,
      firstWinningVersion: Long): Option[Long] =
    Option.when(winning.commitInfo.flatMap(_.txnId).contains(txnId))(winning.commitVersion)

  /** Returns false for background checkpoints, or else Delta would build the table's state in the commit. */
  override protected def isCheckpointNeeded(version: Long, postCommitSnapshot: Snapshot): Boolean =
    asyncHooks.isEmpty && super.isCheckpointNeeded(version, postCommitSnapshot)

  override protected def runPostCommitHook(hook: PostCommitHook, committed: CommittedTransaction): Unit =
    (hook, asyncHooks) match {
      case (ChecksumHook, Some(hooks)) =>
        hooks.checksums.start(ClassicSession.active, committed.committedVersion) {
          super.runPostCommitHook(hook, committed)
        }
      case (CheckpointHook, Some(hooks)) => startCheckpoint(hooks.checkpoints, committed)
      case _ => super.runPostCommitHook(hook, committed)
    }

  private def startCheckpoint(checkpoints: AsyncCheckpointWriter, committed: CommittedTransaction): Unit = {
    val postCommitSnapshot = committed.postCommitSnapshot
    val isDue = checkpoints.isDue(committed.committedVersion, postCommitSnapshot) {
      super.isCheckpointNeeded(committed.committedVersion, postCommitSnapshot)
    }
    if (isDue)
      checkpoints.write(postCommitSnapshot.version)(logSize(postCommitSnapshot)) {
        val copy = copyWithOwnState(postCommitSnapshot)
        try super.runPostCommitHook(checkpointHookFor(copy), committed)
        finally copy.uncache()
      }
  }

  /**
   * Returns a snapshot of the same version that does not share its state with the log. The next commit
   * releases the state of the log's last snapshot, and waits if that is being built.
   */
  private def copyWithOwnState(table: Snapshot): Snapshot =
    new Snapshot(table.path, table.version, table.logSegment, table.deltaLog, table.checksumOpt)

  /** Does what Delta's hook does, which always takes the log's own snapshot of the committed version. */
  private def checkpointHookFor(table: Snapshot): PostCommitHook = new PostCommitHook {
    override val name: String = CheckpointHook.name
    override def run(spark: SparkSession, committed: CommittedTransaction): Unit =
      deltaLog.checkpoint(table, catalogTable)
    override def handleError(spark: SparkSession, error: Throwable, version: Long): Unit =
      CheckpointHook.handleError(spark, error, version)
  }

  private def logSize(table: Snapshot): AsyncCheckpointWriter.LogSize = AsyncCheckpointWriter.LogSize(
    checkpointBytes = table.checkpointProvider.effectiveCheckpointSizeInBytes(),
    commitBytes = table.logSegment.deltas.map(_.getLen).sum)
}
