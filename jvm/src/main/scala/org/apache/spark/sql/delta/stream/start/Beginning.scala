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
  def position(): Option[Position] = cell.get.start.orElse {
    val found = if (settings.start == Start.Latest) waiting() else resolve()
    cell.update(_.copy(start = found))
    found
  }

  /**
   * Where a batch begins. The offset log does not say where the first one did, but we remember. A checkpoint that
   * another has planned is read as delta-spark reads it: a start option is resolved again, without one the end tells
   * which snapshot it was.
   */
  def of(from: Option[Position], to: Position): Position = from.orElse(remembered(to)).getOrElse {
    if (settings.start == Start.Snapshot)
      Position(if (to.inSnapshot) to.version else to.version - 1, Place.Begin, inSnapshot = true)
    else position().getOrElse(to)
  }

  /** The first batch is planned from there up to its end. */
  def remember(origin: Position, end: Position): Unit = memory.remember(StreamStart(asked, origin, Some(end)))

  private def remembered(end: Position): Option[Position] =
    memory.recall().filter(_.end.contains(end)).map(_.position)

  /** `Latest` has another answer at each restart: a stream that saw nothing yet still waits where it once began. */
  private def waiting(): Option[Position] =
    memory.recall().filter(_.asked == asked).map(_.position).orElse {
      val resolved = resolve()
      resolved.foreach(position => memory.remember(StreamStart(asked, position, None)))
      resolved
    }

  private def resolve(): Option[Position] = startVersion() match {
    case Some(found) =>
      cell.update(_.copy(startVersion = Some(found)))
      Some(Position(found.version, Place.Begin, inSnapshot = false))
    case None if initialVersion < 0 => None
    case None => Some(Position(initialVersion, Place.Begin, inSnapshot = true))
  }
}
