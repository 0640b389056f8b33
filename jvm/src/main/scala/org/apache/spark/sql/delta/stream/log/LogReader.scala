// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

/**
 * Finds and reads the next commit, each once. At the head of the log this is one look by name; a listing follows
 * when nothing is known yet, after [[LogReader.looksPerListing]] hits in a row (many commits are waiting), and when
 * a look missed and the last listing is older than `listInterval`, for only a listing shows a gap.
 *
 * @param listInterval milliseconds; 0 lists at every miss
 * @param clock        milliseconds that never go back
 */
final class LogReader(log: TableLog, listInterval: Long, clock: () => Long) {

  /** The first commit at or after `version`, or none when the log ends before. */
  def next(known: Tail, version: Long): (Tail, Option[Tail.Read]) = {
    val tail = if (version < known.first) Tail.unknown else known
    tail.ahead(version) match {
      case Some(file) => read(tail, file)
      case None if tail.listedAt.isEmpty || tail.looks >= LogReader.looksPerListing => list(tail, version)
      case None => look(tail, version)
    }
  }

  private def look(tail: Tail, version: Long): (Tail, Option[Tail.Read]) =
    log.find(version) match {
      case Some(file) => read(tail.found(file), file)
      case None if tail.listedAt.forall(_ + listInterval <= clock()) => list(tail, version)
      case None => (tail.copy(looks = 0), None)
    }

  private def list(tail: Tail, version: Long): (Tail, Option[Tail.Read]) = {
    val fresh = tail.from(version).copy(files = log.list(version), listedAt = Some(clock()), looks = 0)
    fresh.ahead(version).fold((fresh, Option.empty[Tail.Read]))(read(fresh, _))
  }

  private def read(tail: Tail, file: CommitFile): (Tail, Option[Tail.Read]) =
    tail.parsed.get(file.version) match {
      case Some(read) => (tail, Some(read))
      case None =>
        val read = Tail.Read(file, log.read(file))
        (tail.reading(read), Some(read))
    }
}

object LogReader {
  val looksPerListing = 8
}
