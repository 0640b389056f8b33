// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

/** What a stream answers when it is asked how far the next batch reaches. */
sealed abstract class Answer

object Answer {

  /** The batch ends there. */
  final case class Move(end: Position) extends Answer

  /** There is nothing new. */
  case object Stay extends Answer

  final case class Stop(problem: Problem) extends Answer

  /**
   * All that the answer depends on.
   *
   * @param isFirst whether the stream has no offset yet
   * @param plan    what was planned from where the stream is
   * @param start   what keeps the run from starting there: its schema then, or an offset that knows more than the table
   * @param log     why the log is not the one that the stream has read before
   */
  final case class Findings(isFirst: Boolean, plan: Plan, start: Option[Problem], log: Option[Problem])

  /**
   * A start that cannot be read comes first; of a new stream, what it has met on its way says more than where it starts.
   * Then a log that is another one, because nothing of it may be delivered. Then good data, and what is wrong with the
   * commit after it only when there is no good data left.
   */
  def of(found: Findings): Answer = {
    val start =
      found.start.map(problem => if (found.isFirst) found.plan.problem.getOrElse(problem) else problem)
    val good = Option.when(found.plan.moved)(Move(found.plan.end))
    start.orElse(found.log).map(Stop(_)).orElse(good).orElse(found.plan.problem.map(Stop(_))).getOrElse(Stay)
  }
}
