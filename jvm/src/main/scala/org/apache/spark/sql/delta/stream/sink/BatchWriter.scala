// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.delta.actions.{Action, Metadata}

/** What a sink does with the rows of a batch. Once per query. */
private[delta] trait BatchWriter {

  /** Whether it reads the state of the target, so that the log is listed first. */
  def readsState(batch: Batch): Boolean

  /**
   * Whether a batch that conflicts with a commit of others is written again, on top of that commit. The
   * batch must not change the outcome if a part of it has been written before.
   */
  def retriesConflicts: Boolean

  /** Fails if the query must not write into the table. Called before the first batch of a run. */
  def requireSuitable(table: Metadata): Unit

  /**
   * Writes the files of a batch, and prepares the transaction for its commit: metadata, and what it has read.
   *
   * @param txn not committed yet, and not to be committed here
   */
  def write(txn: SinkTransaction, batch: Batch): BatchWriter.Written
}

private[delta] object BatchWriter {

  /**
   * @param actions what to commit
   * @param metrics what to report besides the metrics of a commit, by name
   */
  final case class Written(actions: Seq[Action], metrics: Map[String, String] = Map.empty)
}
