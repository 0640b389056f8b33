// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.spark.sql.delta.stream.conf.StreamSettings
import org.apache.spark.sql.delta.stream.conf.StreamSettings.Start
import org.apache.spark.sql.delta.stream.model.{IndexInVersion, Position}

/**
 * Resolves where a stream starts, as long as it has no offsets (design/0006-starting-points.md).
 *
 * @param analyzedVersion the version of the initial snapshot; below 0 for a table without a version
 * @param startVersion   returns the version the user wants to start from, if any; called at most once
 * @param initialOffsets stores where the stream started, across restarts
 */
private[source] final class StartOffsetResolver(
    settings: StreamSettings,
    analyzedVersion: Long,
    startVersion: () => Option[StartVersion],
    initialOffsets: InitialOffsetStore,
    stateRef: StreamStateRef
) {

  private val startOption = settings.start.toString

  /** Returns where a stream without a checkpoint starts, or None if the table has no version. */
  def position(): Option[Position] = resolving {
    storedLatest.orElse {
      val resolved = resolve()
      // `Latest` may resolve to another version at each restart.
      if (settings.start == Start.Latest)
        resolved.foreach(position => initialOffsets.save(InitialOffset(startOption, position, None)))
      resolved
    }
  }

  /**
   * Returns where a batch starts. The offset log does not record that for the first batch, so we store it. A
   * first batch that delta-spark planned is run again as delta-spark does: a start option is resolved
   * again; without one, the end of the batch identifies the snapshot.
   */
  def batchStart(from: Option[Position], to: Position): Position = from.orElse(storedFor(to)).getOrElse {
    if (settings.start == Start.Snapshot)
      Position(if (to.inSnapshot) to.version else to.version - 1, IndexInVersion.Begin, inSnapshot = true)
    else resolveAgain().getOrElse(to)
  }

  /** Records that a batch was committed. The run's first one deletes the stored start. */
  def batchCommitted(): Unit =
    if (!stateRef.getAndUpdate(_.firstBatchCommitted).hasCommitted) initialOffsets.delete()

  /** Ends the run. Spark may have committed its only batch without calling `commit` on the source. */
  def stop(): Unit = if (!stateRef.get.hasCommitted && initialOffsets.hasCommittedBatch) batchCommitted()

  /** Stores where the first batch starts and where it was planned to end. */
  def save(origin: Position, end: Position): Unit =
    initialOffsets.save(InitialOffset(startOption, origin, Some(end)))

  /** Like [[position]] for a batch that is already planned. Stores nothing: its start may be another one. */
  private def resolveAgain(): Option[Position] = resolving(storedLatest.orElse(resolve()))

  private def resolving(find: => Option[Position]): Option[Position] = stateRef.get.start.orElse {
    val found = find
    stateRef.update(_.startResolved(found))
    found
  }

  /** Returns the stored start for `Latest`: a stream that has read nothing yet still starts there. */
  private def storedLatest: Option[Position] =
    if (settings.start == Start.Latest)
      initialOffsets.load().filter(_.startOption == startOption).map(_.position)
    else None

  private def storedFor(end: Position): Option[Position] =
    initialOffsets.load().filter(_.end.contains(end)).map(_.position)

  private def resolve(): Option[Position] = startVersion() match {
    case Some(found) =>
      stateRef.update(_.startVersionResolved(found))
      Some(Position(found.version, IndexInVersion.Begin, inSnapshot = false))
    case None if analyzedVersion < 0 => None
    case None => Some(Position(analyzedVersion, IndexInVersion.Begin, inSnapshot = true))
  }
}
