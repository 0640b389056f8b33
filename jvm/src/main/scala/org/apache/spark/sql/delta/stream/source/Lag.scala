// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.spark.sql.delta.stream.log.LogTailCache
import org.apache.spark.sql.delta.stream.model.{Commit, FileList, IndexInVersion, Position}

/**
 * How far a position is behind the table. What the stream does not know is None, never a guess.
 *
 * @param versions     the number of commits not yet read to the end
 * @param files        the number of files of these commits that are still to be read
 * @param bytes        the total size of these files
 * @param milliseconds the age of the oldest of these commits
 */
private[source] final case class Lag(
    versions: Option[Long],
    files: Option[Long],
    bytes: Option[Long],
    milliseconds: Option[Long]
)

private[source] object Lag {

  /** Everything has been read. */
  val none: Lag = Lag(Some(0), Some(0), Some(0), Some(0))

  /**
   * @param at    the position up to which the stream has read
   * @param now   milliseconds since 1970
   * @param reads returns the files the stream reads of a commit, or None if they are not known yet
   */
  def of(state: StreamState, at: Position, now: Long, reads: Commit => Option[FileList]): Lag = {
    val oldest = if (isThrough(state.tail, at)) at.version + 1 else at.version
    state.tail.latestVersion match {
      case Some(latest) if latest < oldest => none
      case latest =>
        val files = latest.flatMap(unread(state.tail, at, oldest, _, reads))
        Lag(
          latest.map(_ - oldest + 1),
          files.map(_.map(_._1).sum),
          files.map(_.map(_._2).sum),
          commitTime(state, oldest).map(time => (now - time).max(0))
        )
    }
  }

  /** True if nothing of the commit is left: a batch of change files ends at the last of them. */
  private def isThrough(tail: LogTailCache, at: Position): Boolean = at.index match {
    case IndexInVersion.File(last) if !at.inSnapshot =>
      tail.parsedCommit(at.version).exists(_.commit.files.size <= last + 1)
    case _ => false
  }

  /** Returns the number and bytes of the files left in each commit, or None unless all were read. */
  private def unread(
      tail: LogTailCache,
      at: Position,
      oldest: Long,
      latest: Long,
      reads: Commit => Option[FileList]
  ): Option[Seq[(Long, Long)]] = {
    val parsed = tail.parsed
      .map(_.commit)
      .filter(commit => commit.version >= oldest && commit.version <= latest)
      .distinctBy(_.version)
    lazy val left = for (commit <- parsed; next = at.nextFileIndex(commit.version))
      yield for (files <- reads(commit); bytes <- files.bytesFrom(next))
        yield (files.size - next).max(0) -> bytes
    Option.when(!at.inSnapshot && parsed.size == latest - oldest + 1 && left.forall(_.nonEmpty))(left.flatten)
  }

  /** Returns when a version was committed. Stores that keep no times report 0, which means unknown. */
  private def commitTime(state: StreamState, version: Long): Option[Long] = {
    val inCommit = state.tail.parsedCommit(version).flatMap(_.commit.info).flatMap(_.inCommitTimestamp)
    val ofFile =
      state.tail.firstAtOrAfter(version).filter(_.version == version).map(_.status.getModificationTime)
    val ofSnapshot = state.snapshot.filter(_.version == version).flatMap(_.commitFileTime)
    inCommit.orElse(ofFile).orElse(ofSnapshot).filter(_ > 0)
  }
}
