// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

/**
 * Finds and reads the next commit, each once. At the head of the log this is one look by name; a listing follows
 * when nothing is known yet, after [[LogReader.looksPerListing]] hits in a row (many commits are waiting), and when
 * a look missed and the last listing is older than `listInterval`, for only a listing shows a gap. Where a look costs
 * as much as a listing, it is a listing each time. What a listing showed answers the rest of the same question.
 *
 * @param listInterval milliseconds; 0 lists at every miss
 * @param clock        milliseconds that never go back
 */
final class LogReader(log: TableLog, listInterval: Long, clock: () => Long) {

  /** The first commit at or after `version`, or none when the log ends before. */
  def next(known: Tail, version: Long): (Tail, Option[Tail.Read]) = {
    val tail = if (version < known.first) Tail.unknown else known
    tail.ahead(version) match {
      case Some(file) if file.version == version => read(tail, file)
      case Some(later) => confirmGap(tail, version, later)
      case None if tail.isCurrent => (tail, None)
      case None if tail.listedAt.isEmpty || !log.byName || tail.looks >= LogReader.looksPerListing =>
        list(tail, version)
      case None => look(tail, version)
    }
  }

  private def look(tail: Tail, version: Long): (Tail, Option[Tail.Read]) =
    log.find(version) match {
      case Some(file) => read(tail.found(file), file)
      case None if tail.listedAt.forall(_ + listInterval <= clock()) => list(tail, version)
      case None => (tail.missed(clock()), None)
    }

  /** The time of this version by the log's files, where the log still has it. */
  def time(known: Tail, version: Long): (Tail, Option[Long]) = {
    val tail =
      if (known.listedAt.nonEmpty && known.first <= version - Tail.lookback) known
      else listing(known, version)
    (tail, tail.ahead(version).filter(_.version == version).map(Tail.tick(tail.clock(version, version), _)))
  }

  private def listing(tail: Tail, version: Long): Tail = {
    val from = version - Tail.lookback
    tail.listing(from, log.list(from.max(0)), clock())
  }

  private def list(tail: Tail, version: Long): (Tail, Option[Tail.Read]) = {
    val fresh = listing(tail, version)
    fresh.ahead(version) match {
      case None => (fresh, None)
      case Some(file) if file.version == version => read(fresh, file)
      case Some(later) => confirmGap(fresh, version, later)
    }
  }

  /** A listing is no snapshot: while commits are being made it may show one without the one before it. */
  private def confirmGap(tail: Tail, version: Long, later: CommitFile): (Tail, Option[Tail.Read]) =
    log.find(version) match {
      case Some(file) => read(tail.found(file), file)
      case None => read(tail, later)
    }

  /**
   * A file that went between being listed and being opened leaves a gap to the one after it. What this run has read of a
   * version it keeps, whatever file is there now: whether that is another one is judged when a batch is handed over, for
   * half of one commit and half of another is no batch.
   */
  private def read(tail: Tail, file: CommitFile): (Tail, Option[Tail.Read]) =
    tail.read(file.version) match {
      case Some(read) => (tail, Some(read))
      case None =>
        log.read(file) match {
          case Some(commit) =>
            val read = Tail.Read(file.copy(content = commit.content), commit)
            (tail.reading(read), Some(read))
          case None => next(tail.without(file), file.version)
        }
    }
}

object LogReader {
  val looksPerListing = 8
}
