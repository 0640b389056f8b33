// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.progress

import org.apache.spark.sql.delta.stream.StreamState
import org.apache.spark.sql.delta.stream.log.Tail
import org.apache.spark.sql.delta.stream.plan.{Commit, FileList, Place, Position}

/**
 * How far a position lies behind the table, as far as the stream knows: what it does not know is none, never a guess.
 *
 * @param versions     commits that were not read to their end
 * @param files        files of these that are still to be read
 * @param bytes        the size of these files
 * @param milliseconds for how long the oldest of these commits has been there
 */
final case class Lag(
    versions: Option[Long],
    files: Option[Long],
    bytes: Option[Long],
    milliseconds: Option[Long]
)

object Lag {

  /** Everything has been read. */
  val none: Lag = Lag(Some(0), Some(0), Some(0), Some(0))

  /**
   * @param at    how far the stream has come
   * @param now   milliseconds since 1970
   * @param reads what the stream reads of a commit, none where that cannot be told yet
   */
  def of(state: StreamState, at: Position, now: Long, reads: Commit => Option[FileList]): Lag = {
    val oldest = if (isThrough(state.tail, at)) at.version + 1 else at.version
    state.tail.newest match {
      case Some(newest) if newest < oldest => none
      case newest =>
        val files = newest.flatMap(unread(state.tail, at, oldest, _, reads))
        Lag(
          newest.map(_ - oldest + 1),
          files.map(_.map(_._1).sum),
          files.map(_.map(_._2).sum),
          committed(state, oldest).map(time => (now - time).max(0))
        )
    }
  }

  /** A batch of change files ends at the last of them: nothing of that commit is left. */
  private def isThrough(tail: Tail, at: Position): Boolean = at.place match {
    case Place.File(last) if !at.inSnapshot =>
      tail.read(at.version).exists(_.commit.files.size <= last + 1)
    case _ => false
  }

  /** Number and bytes of what is left of each commit; none unless each of them was read. */
  private def unread(
      tail: Tail,
      at: Position,
      oldest: Long,
      newest: Long,
      reads: Commit => Option[FileList]
  ): Option[Seq[(Long, Long)]] = {
    val parsed = tail.parsed
      .map(_.commit)
      .filter(commit => commit.version >= oldest && commit.version <= newest)
      .distinctBy(_.version)
    lazy val left = for (commit <- parsed; next = at.nextFile(commit.version))
      yield for (files <- reads(commit); bytes <- files.bytesFrom(next))
        yield (files.size - next).max(0) -> bytes
    Option.when(!at.inSnapshot && parsed.size == newest - oldest + 1 && left.forall(_.nonEmpty))(left.flatten)
  }

  /** When a version was made; a store that keeps no times says 0. */
  private def committed(state: StreamState, version: Long): Option[Long] = {
    val inCommit = state.tail.read(version).flatMap(_.commit.info).flatMap(_.inCommitTimestamp)
    val ofFile =
      state.tail.ahead(version).filter(_.version == version).map(_.status.getModificationTime)
    val ofSnapshot = state.snapshot.filter(_.version == version).flatMap(_.fileTime)
    inCommit.orElse(ofFile).orElse(ofSnapshot).filter(_ > 0)
  }
}
