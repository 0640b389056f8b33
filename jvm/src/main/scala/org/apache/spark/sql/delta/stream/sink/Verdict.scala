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
   * @param batch  which batch, and when it was planned
   * @param run    what is known of the run that hands it over
   * @param marker the last batch of the query that the table has
   * @param own    the last batch that this run has written, or has found done
   */
  def of(batch: Planned, run: Run, marker: Option[SetTransaction], own: Option[SetTransaction]): Verdict =
    marker.filter(_.version >= batch.id) match {
      case None => Write
      case Some(found) if found.version == batch.id && own.fold(mayBe(found, batch, run))(_ == found) =>
        Done(found)
      case Some(found) => OtherRun(found)
    }

  /** @param at when the engine planned the batch, in milliseconds since 1970, if that is known */
  final case class Planned(id: Long, at: Option[Long])

  /**
   * @param started when the query was started, in milliseconds since 1970
   * @param resumes the last batch that was planned before that, if the checkpoint could be asked; -1 for none
   */
  final case class Run(started: Long, resumes: Option[Long])

  /**
   * Whether the marker may be that of the first batch of a run, which knows its later ones. A batch that is handed over
   * again was planned before this run started: the checkpoint tells, and where it cannot be asked, the clocks of the two
   * drivers must. It was also planned before the marker was written, mostly by one and the same driver.
   */
  private def mayBe(found: SetTransaction, batch: Planned, run: Run): Boolean =
    run.resumes.fold(batch.at.forall(_ < run.started))(batch.id <= _) &&
      batch.at.forall(at => found.lastUpdated.forall(at <= _))
}
