// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.start

import org.apache.spark.sql.delta.stream.StreamSettings.Start
import org.apache.spark.sql.delta.stream.plan.{Place, Position}
import org.apache.spark.sql.delta.stream.{StreamCell, StreamSettings}

/**
 * Where a stream begins, before its offsets say where it is (docs/design/0006-starting-points.md).
 *
 * @param initialVersion the version a snapshot is taken of; below 0 for a table without a version
 * @param startVersion   the version the user wants to start from, if any; asked at most once
 * @param memory         where the stream began, across restarts
 */
final class Beginning(
    settings: StreamSettings,
    initialVersion: Long,
    startVersion: () => Option[StartVersion],
    memory: StartMemory,
    cell: StreamCell
) {

  private val asked = settings.start.toString

  /** Where a stream without a checkpoint begins; none for a table without a version. */
  def position(): Option[Position] = resolving {
    recalled.orElse {
      val resolved = resolve()
      // `Latest` has another answer at each restart.
      if (settings.start == Start.Latest)
        resolved.foreach(position => memory.remember(StreamStart(asked, position, None)))
      resolved
    }
  }

  /**
   * Where a batch begins. The offset log does not say where the first one did, but we remember. A checkpoint that
   * another has planned is read as delta-spark reads it: a start option is resolved again, without one the end tells
   * which snapshot it was.
   */
  def of(from: Option[Position], to: Position): Position = from.orElse(remembered(to)).getOrElse {
    if (settings.start == Start.Snapshot)
      Position(if (to.inSnapshot) to.version else to.version - 1, Place.Begin, inSnapshot = true)
    else again().getOrElse(to)
  }

  /** A batch is committed. */
  def done(): Unit =
    if (!cell.getAndUpdate(_.copy(begun = true)).begun) memory.done()

  /** The run ends: it may have had one batch, which the engine notes as done without a word to its source. */
  def stop(): Unit = if (!cell.get.begun && memory.hasBatchDone) done()

  /** The first batch is planned from there up to its end. */
  def remember(origin: Position, end: Position): Unit = memory.remember(StreamStart(asked, origin, Some(end)))

  /** For a batch that was planned before: where the options lead now is not where the stream begins. */
  private def again(): Option[Position] = resolving(recalled.orElse(resolve()))

  private def resolving(find: => Option[Position]): Option[Position] = cell.get.start.orElse {
    val found = find
    cell.update(_.copy(start = found))
    found
  }

  /** A stream from `Latest` that has read nothing yet still waits where it once began. */
  private def recalled: Option[Position] =
    if (settings.start == Start.Latest) memory.recall().filter(_.asked == asked).map(_.position) else None

  private def remembered(end: Position): Option[Position] =
    memory.recall().filter(_.end.contains(end)).map(_.position)

  private def resolve(): Option[Position] = startVersion() match {
    case Some(found) =>
      cell.update(_.copy(startVersion = Some(found)))
      Some(Position(found.version, Place.Begin, inSnapshot = false))
    case None if initialVersion < 0 => None
    case None => Some(Position(initialVersion, Place.Begin, inSnapshot = true))
  }
}
