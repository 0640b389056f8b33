// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.delta.stream.model.{Position, Problem}

/** What a stream returns when the engine asks for its latest offset. */
private[stream] sealed abstract class LatestOffsetDecision

private[stream] object LatestOffsetDecision {

  /** The next batch ends at `end`. */
  final case class Advance(end: Position) extends LatestOffsetDecision

  /** There is nothing new to read. */
  case object Stay extends LatestOffsetDecision

  /** The stream fails. */
  final case class Fail(problem: Problem) extends LatestOffsetDecision

  /**
   * Everything that the decision depends on.
   *
   * @param isFirst      true if the stream has no offset yet
   * @param plan         the batch planned from the stream's position
   * @param startProblem why the run cannot start at its position: the schema at that version, or an offset
   *                     that is ahead of the table
   * @param logProblem   why the transaction log is not the one that the stream has read before
   */
  final case class Inputs(
      isFirst: Boolean,
      plan: Plan,
      startProblem: Option[Problem],
      logProblem: Option[Problem])

  /**
   * Decides in this order:
   *
   *  1. A problem with the start of the run. For a new stream, a problem found while planning is reported
   *     instead, because it is more specific.
   *  1. A log that is not the one the stream has read before, because none of its data may be delivered.
   *  1. Data that can be delivered.
   *  1. A problem with the commit after that data. It is reported only when no data is left to deliver.
   */
  def of(found: Inputs): LatestOffsetDecision = {
    val start =
      found.startProblem.map(problem => if (found.isFirst) found.plan.problem.getOrElse(problem) else problem)
    val advance = Option.when(found.plan.advances)(Advance(found.plan.end))
    start
      .orElse(found.logProblem)
      .map(Fail(_))
      .orElse(advance)
      .orElse(found.plan.problem.map(Fail(_)))
      .getOrElse(Stay)
  }
}
