// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.spark.sql.delta.stream.plan.Commit

/**
 * What is known of the log ahead of a stream. `LogReader` answers with the next one.
 *
 * @param first    the version from which on this is complete
 * @param files    the commit files seen, ascending
 * @param parsed   those of them already read: the one a batch was cut in and those looked at ahead
 * @param listedAt when the log was last listed, in milliseconds of the reader's clock
 * @param looks    hits by name since that listing
 */
final case class Tail(
    first: Long,
    files: Vector[CommitFile],
    parsed: Map[Long, Tail.Read],
    listedAt: Option[Long],
    looks: Int) {

  /** The first known commit at or after this version. */
  def ahead(version: Long): Option[CommitFile] =
    files.lift(files.view.map(_.version).search(version).insertionPoint)

  def found(file: CommitFile): Tail = copy(files = files :+ file, looks = looks + 1)

  def reading(read: Tail.Read): Tail = copy(parsed = parsed + (read.file.version -> read))

  /** Forgets what lies before this version. */
  def from(version: Long): Tail = copy(
    first = first.max(version),
    files = files.dropWhile(_.version < version),
    parsed = parsed.filter(_._1 >= version))
}

object Tail {
  val unknown: Tail = Tail(0, Vector.empty, Map.empty, None, 0)

  final case class Read(file: CommitFile, commit: Commit)
}
