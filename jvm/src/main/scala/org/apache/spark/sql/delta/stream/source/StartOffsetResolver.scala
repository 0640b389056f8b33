// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.spark.sql.delta.stream.conf.StreamSettings
import org.apache.spark.sql.delta.stream.conf.StreamSettings.Start
import org.apache.spark.sql.delta.stream.model.{IndexInVersion, Position}

/**
 * Resolves where a stream starts, as long as it has no offsets (docs/design/0006-starting-points.md).
 *
 * @param initialVersion the version of the initial snapshot; below 0 for a table without a version
 * @param startVersion   returns the version the user wants to start from, if any; called at most once
 * @param memory         stores where the stream started, across restarts
 */
private[source] final class StartOffsetResolver(
    settings: StreamSettings,
    initialVersion: Long,
    startVersion: () => Option[StartVersion],
    memory: InitialOffsetStore,
    stateRef: StreamStateRef
) {

  private val asked = settings.start.toString

  /** Returns where a stream without a checkpoint starts, or None if the table has no version. */
  def position(): Option[Position] = resolving {
    recalled.orElse {
      val resolved = resolve()
      // `Latest` may resolve to another version at each restart.
      if (settings.start == Start.Latest)
        resolved.foreach(position => memory.remember(InitialOffset(asked, position, None)))
      resolved
    }
  }

  /**
   * Returns where a batch starts. The offset log does not record that for the first batch, so we store it. A
   * first batch that another program planned is replayed as delta-spark does: a start option is resolved
   * again; without one, the end of the batch identifies the snapshot.
   */
  def of(from: Option[Position], to: Position): Position = from.orElse(remembered(to)).getOrElse {
    if (settings.start == Start.Snapshot)
      Position(if (to.inSnapshot) to.version else to.version - 1, IndexInVersion.Begin, inSnapshot = true)
    else again().getOrElse(to)
  }

  /** Records that a batch was committed. The run's first one deletes the stored start. */
  def done(): Unit =
    if (!stateRef.getAndUpdate(_.markCommitted).hasCommitted) memory.done()

  /** Ends the run. Spark may have committed its only batch without calling `commit` on the source. */
  def stop(): Unit = if (!stateRef.get.hasCommitted && memory.hasBatchDone) done()

  /** Stores where the first batch starts and where it was planned to end. */
  def remember(origin: Position, end: Position): Unit =
    memory.remember(InitialOffset(asked, origin, Some(end)))

  /** Like [[position]] for a batch that is already planned. Stores nothing: its start may be another one. */
  private def again(): Option[Position] = resolving(recalled.orElse(resolve()))

  private def resolving(find: => Option[Position]): Option[Position] = stateRef.get.start.orElse {
    val found = find
    stateRef.update(_.startsAt(found))
    found
  }

  /** Returns the stored start for `Latest`: a stream that has read nothing yet still starts there. */
  private def recalled: Option[Position] =
    if (settings.start == Start.Latest) memory.recall().filter(_.asked == asked).map(_.position) else None

  private def remembered(end: Position): Option[Position] =
    memory.recall().filter(_.end.contains(end)).map(_.position)

  private def resolve(): Option[Position] = startVersion() match {
    case Some(found) =>
      stateRef.update(_.resolved(found))
      Some(Position(found.version, IndexInVersion.Begin, inSnapshot = false))
    case None if initialVersion < 0 => None
    case None => Some(Position(initialVersion, IndexInVersion.Begin, inSnapshot = true))
  }
}
