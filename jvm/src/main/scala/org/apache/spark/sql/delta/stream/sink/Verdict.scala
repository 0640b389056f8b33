// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.delta.actions.SetTransaction

/** What becomes of a batch (docs/design/0014-sink.md). */
sealed trait Verdict

object Verdict {

  /** The table does not have it. */
  case object Write extends Verdict

  /** The table has it already. */
  final case class Done(marker: SetTransaction) extends Verdict

  /** The table has a batch of that number from another run of the same query, which may have had other rows. */
  final case class OtherRun(marker: SetTransaction) extends Verdict

  /**
   * @param composed when the engine put the batch together, if that is known
   * @param marker   the last batch of the query that the table has
   * @param own      the last batch that this run has written, or has found done
   */
  def of(
      batchId: Long,
      composed: Option[Long],
      marker: Option[SetTransaction],
      own: Option[SetTransaction]): Verdict =
    marker.filter(_.version >= batchId) match {
      case None => Write
      case Some(found) if found.version == batchId && mayBe(found, composed, own) => Done(found)
      case Some(found) => OtherRun(found)
    }

  /** A run knows its own batches. Before its first, that is one which was there before the marker was written. */
  private def mayBe(found: SetTransaction, composed: Option[Long], own: Option[SetTransaction]): Boolean =
    own match {
      case Some(known) => known == found
      case None => !found.lastUpdated.exists(written => composed.exists(_ > written))
    }
}
