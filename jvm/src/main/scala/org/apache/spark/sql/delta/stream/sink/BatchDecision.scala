// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.delta.actions.SetTransaction

/** Whether to write a batch (docs/internals/design/0014-sink.md). */
private[sink] sealed trait BatchDecision

private[sink] object BatchDecision {

  /** The table does not contain the batch. */
  case object Write extends BatchDecision

  /** The table contains the batch already. */
  final case class AlreadyCommitted(transaction: SetTransaction) extends BatchDecision

  /** Another run of the query has committed this batch or a later one, perhaps with other rows. */
  final case class CommittedByOtherRun(transaction: SetTransaction) extends BatchDecision

  /**
   * Decides from the query's last SetTransaction in the table.
   *
   * @param batch     the batch to decide about
   * @param run       the run that the batch belongs to
   * @param tableTransaction   the query's last SetTransaction in the table
   * @param lastTransactionOfRun the SetTransaction of the last batch that this run wrote or found already committed;
   *                  None for the first batch of a run
   */
  def of(
      batch: PlannedBatch,
      run: Run,
      tableTransaction: Option[SetTransaction],
      lastTransactionOfRun: Option[SetTransaction]): BatchDecision =
    tableTransaction.filter(_.version >= batch.id) match {
      case None => Write
      case Some(transaction)
          if transaction.version == batch.id &&
            lastTransactionOfRun.fold(mayBeReplay(batch, run, transaction))(_ == transaction) =>
        AlreadyCommitted(transaction)
      case Some(transaction) => CommittedByOtherRun(transaction)
    }

  /**
   * Returns whether rows of earlier batches are probably not in the table: the query wrote them to another one, or an
   * older copy of the table was restored. Each batch of a query has a SetTransaction, also one without rows.
   */
  def lacksEarlierBatches(batch: PlannedBatch, tableTransaction: Option[SetTransaction]): Boolean =
    tableTransaction.fold(-1L)(_.version) < batch.id - 1

  /** @param plannedAtMs when the engine planned the batch, in milliseconds since 1970; None if unknown */
  final case class PlannedBatch(id: Long, plannedAtMs: Option[Long])

  /**
   * @param startedAtMs      when the query was started, in milliseconds since 1970
   * @param lastPlannedBatch the last batch that was planned before the query was started, -1 if there was
   *                         none; None if the checkpoint's location is not known
   */
  final case class Run(startedAtMs: Long, lastPlannedBatch: Option[Long])

  /**
   * Returns whether the first batch of a run may be a replay of the batch that wrote the SetTransaction.
   * For its later batches a run knows its own last SetTransaction.
   *
   * A replayed batch was planned before this run started. The checkpoint says so; if its location is not
   * known, the clocks of the two drivers are compared. The batch was also planned before its SetTransaction
   * was written, usually by the same driver.
   */
  private def mayBeReplay(batch: PlannedBatch, run: Run, transaction: SetTransaction): Boolean =
    run.lastPlannedBatch.fold(batch.plannedAtMs.forall(_ < run.startedAtMs))(batch.id <= _) &&
      batch.plannedAtMs.forall(plannedAt => transaction.lastUpdated.forall(plannedAt <= _))
}
