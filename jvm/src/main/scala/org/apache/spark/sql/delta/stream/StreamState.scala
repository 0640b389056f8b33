// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream

import org.apache.spark.sql.delta.stream.StreamState.Until
import org.apache.spark.sql.delta.stream.log.{CommitFile, SnapshotFiles, Tail}
import org.apache.spark.sql.delta.stream.plan.{Closing, FeedHistory, Plan, Position}
import org.apache.spark.sql.delta.stream.start.StartVersion

/**
 * Everything a running stream remembers between two calls of the engine: one immutable value, in one cell.
 *
 * @param start    where a stream without a checkpoint begins, once that is resolved
 * @param startVersion the user's choice of a start, once it was resolved to a version
 * @param latest   the last answer to the engine's question how far the stream could go
 * @param tail     what is known of the log ahead
 * @param snapshot the initial snapshot, while the stream is inside it
 * @param planned  the last planned batch, until it is committed
 * @param closing  what ended the last batch planned in this run
 * @param planning how long planning and building the last batch took, in milliseconds
 * @param passed   the newest commit file seen that no batch needs any more
 * @param feed     what the stream has met of the table's change feed being turned on and off
 * @param bound    how far this run goes
 * @param begun    a batch was committed in this run
 * @param checked  the place this run resumes at has been compared with the table
 */
final case class StreamState(
    start: Option[Position] = None,
    startVersion: Option[StartVersion] = None,
    latest: Option[Position] = None,
    tail: Tail = Tail.unknown,
    snapshot: Option[SnapshotFiles] = None,
    planned: Option[StreamState.Planned] = None,
    closing: Option[Closing] = None,
    planning: Option[Long] = None,
    passed: Option[CommitFile] = None,
    feed: FeedHistory = FeedHistory.unknown,
    bound: StreamState.Bound = StreamState.Unbounded,
    begun: Boolean = false,
    checked: Boolean = false
) {

  /** What ended a batch, the bound of this run included. */
  def closingOf(plan: Plan): Closing = bound match {
    case Until(end) if plan.closing == Closing.EndOfTable && plan.end.lastVersion >= end.lastVersion =>
      Closing.EndOfRun
    case _ => plan.closing
  }
}

object StreamState {

  /** @param last the newest commit file the plan read, if it read any */
  final case class Planned(plan: Plan, last: Option[CommitFile]) {
    def answers(from: Position, to: Position): Boolean = from == plan.from && to == plan.end
  }

  /** How far a run of the query goes. */
  sealed abstract class Bound
  case object Unbounded extends Bound

  /** As far as the table reaches when the engine first asks. */
  case object AvailableNow extends Bound
  final case class Until(end: Position) extends Bound
}
