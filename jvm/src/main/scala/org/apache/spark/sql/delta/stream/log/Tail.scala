// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.spark.sql.delta.stream.plan.Commit

/**
 * What is known of the log ahead of a stream. `LogReader` answers with the next one.
 *
 * @param first    the version from which on this is complete, as far as it goes
 * @param files    the commit files seen, ascending
 * @param parsed   the last two read: the one a batch was cut in, and the one looked at ahead of it
 * @param listedAt when the log was last listed, in milliseconds of the reader's clock
 * @param looks    hits by name in a row since then
 */
final case class Tail(
    first: Long,
    files: Vector[CommitFile],
    parsed: Vector[Tail.Read],
    listedAt: Option[Long],
    looks: Int
) {

  /** The first known commit at or after this version. */
  def ahead(version: Long): Option[CommitFile] = files.lift(indexOf(version))

  def found(file: CommitFile): Tail = {
    val (before, after) = files.splitAt(indexOf(file.version))
    copy(files = (before :+ file) ++ after, looks = looks + 1)
  }

  def without(file: CommitFile): Tail = copy(files = files.filterNot(_ == file))

  def listing(version: Long, listed: Vector[CommitFile], now: Long): Tail =
    copy(first = version, files = listed, listedAt = Some(now), looks = 0)

  def reading(read: Tail.Read): Tail = copy(parsed = parsed.takeRight(1) :+ read)

  def read(version: Long): Option[Tail.Read] = parsed.find(_.file.version == version)

  /** Forgets what lies before this version. */
  def from(version: Long): Tail = copy(
    first = first.max(version),
    files = files.drop(indexOf(version)),
    parsed = parsed.filter(_.file.version >= version)
  )

  private def indexOf(version: Long): Int = files.view.map(_.version).search(version).insertionPoint
}

object Tail {
  val unknown: Tail = Tail(0, Vector.empty, Vector.empty, None, 0)

  final case class Read(file: CommitFile, commit: Commit)
}
