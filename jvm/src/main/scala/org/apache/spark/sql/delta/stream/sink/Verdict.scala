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
   * @param started  when the run has begun
   * @param marker   the last batch of the query that the table has
   * @param own      the last batch that this run has written, or has found done
   */
  def of(
      batchId: Long,
      composed: Option[Long],
      started: Long,
      marker: Option[SetTransaction],
      own: Option[SetTransaction]): Verdict =
    marker.filter(_.version >= batchId) match {
      case None => Write
      case Some(found) if found.version == batchId && own.fold(mayBe(found, composed, started))(_ == found) =>
        Done(found)
      case Some(found) => OtherRun(found)
    }

  /**
   * Whether it may be the first batch of a run, which knows its later ones: one that is handed over again was put
   * together before this run has begun, and before the marker was written.
   */
  private def mayBe(found: SetTransaction, composed: Option[Long], started: Long): Boolean =
    composed.forall(at => at < started && found.lastUpdated.forall(at <= _))
}
