// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.progress

import org.apache.spark.sql.delta.stream.StreamState.{AvailableNow, Unbounded, Until}
import org.apache.spark.sql.delta.stream.plan._
import org.apache.spark.sql.delta.stream.{Route, StreamCell, StreamClock, StreamSettings}

/**
 * What a running stream tells of itself. Views of its state: they ask nothing of log, files or Spark, so that a report
 * costs nothing and cannot fail (docs/design/0009-lag.md).
 */
final class Progress(
    cell: StreamCell,
    route: Route,
    planner: Planner,
    settings: StreamSettings,
    clock: StreamClock
) {

  private val readsEvery = planner.acceptsEvery && settings.excludeRegex.isEmpty

  /** The end of the newest version seen, none before anything was. */
  def newest: Option[Position] = {
    val state = cell.get
    val listed = state.tail.files.lastOption.map(_.version) ++ state.tail.newest
    val seen = listed ++ state.snapshot.map(_.version)
    val bound = state.bound match {
      case Until(end) => Some(end)
      case Unbounded | AvailableNow => None
    }
    (seen.map(end) ++ bound ++ state.latest).maxOption
  }

  /** @param consumed how far the query has come; none before its first batch, when that is where it starts */
  def metrics(consumed: Option[Position]): Seq[Metric] = {
    val state = cell.get
    val at = consumed.orElse(state.start)
    Metric.all(state, at, at.map(Lag.of(state, _, clock.wall(), reads)))
  }

  /** Takes the time of planning where a batch ends. */
  def planning[T](plan: => T): T = timed(plan)((_, now) => now)

  /** Takes the time of building the batch, on top of that. */
  def building[T](build: => T): T = timed(build)(_ + _)

  private def timed[T](work: => T)(sum: (Long, Long) => Long): T = {
    val began = clock.ticks()
    val result = work
    val took = clock.ticks() - began
    cell.update(state => state.copy(planning = Some(sum(state.planning.getOrElse(0), took))))
    result
  }

  /** Which files a predicate picks is looked at as batches are planned, and not before. */
  private def reads(commit: Commit): Option[FileList] =
    route.step(commit, committed = 0, starting = false) match {
      case segment: Step.Segment => Option.when(readsEvery || segment.files.size == 0)(segment.files)
      case _: Step.SchemaChange | _: Step.Barred => None
    }

  private def end(version: Long): Position = Position(version, Place.End, inSnapshot = false).settled
}
