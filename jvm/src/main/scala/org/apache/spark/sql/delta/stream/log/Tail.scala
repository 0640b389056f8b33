// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.spark.sql.delta.stream.plan.Commit

/**
 * What is known of the log around a stream. `LogReader` answers with the next commit.
 *
 * @param first    the version from which on this is complete, as far as it goes
 * @param files    the commit files seen, ascending, from [[Tail.lookback]] versions before the stream on; of a listing
 *                 the first [[Tail.most]]
 * @param parsed   the last two read: the one a batch was cut in, and the one looked at ahead of it
 * @param listedAt when the log was last listed, in milliseconds of the reader's clock
 * @param isCurrent whether that was since the question that is being answered was asked, and showed the log's end
 * @param looks    hits by name in a row since then
 * @param end      where the log was last seen to end; none once it was found to go on
 */
final case class Tail(
    first: Long,
    files: Vector[CommitFile],
    parsed: Vector[Tail.Read],
    listedAt: Option[Long],
    isCurrent: Boolean,
    looks: Int,
    end: Option[Tail.End]
) {

  /** The first known commit at or after this version. */
  def ahead(version: Long): Option[CommitFile] = files.lift(indexOf(version))

  /** The last known commit before this version. */
  def before(version: Long): Option[CommitFile] = files.lift(indexOf(version) - 1)

  /** The known commits behind this version. */
  def behind(version: Long): Iterator[CommitFile] = files.iterator.drop(indexOf(version + 1))

  def found(file: CommitFile): Tail = {
    val (before, after) = files.splitAt(indexOf(file.version))
    copy(files = (before :+ file) ++ after, looks = looks + 1, end = end.filter(_.version >= file.version))
  }

  def without(file: CommitFile): Tail =
    copy(files = files.filterNot(_.version == file.version), isCurrent = false)

  /** A new question is asked: the log may have grown since it was listed. */
  def asked: Tail = copy(isCurrent = false)

  /** The commit of this version, if the question that is being answered has listed it. */
  def listed(version: Long): Option[CommitFile] = ahead(version).filter(isCurrent && _.version == version)

  /** A look found nothing behind what is known. */
  def missed(now: Long): Tail = copy(looks = 0).ending(files.lastOption.fold(first - 1)(_.version), now)

  def listing(from: Long, listed: Vector[CommitFile], now: Long): Tail =
    copy(
      first = from,
      files = known(listed.take(Tail.most)),
      listedAt = Some(now),
      isCurrent = listed.size <= Tail.most,
      looks = 0
    ).ending(listed.lastOption.fold(from - 1)(_.version), now)

  /** What was read of a commit stays known if it is listed again, and is not another file by what the listing says. */
  private def known(listed: Vector[CommitFile]): Vector[CommitFile] = {
    val read = files.filter(_.content.nonEmpty).map(file => file.version -> file).toMap
    listed.map { file =>
      val same = read.get(file.version).filter(_.identity.compare(file.identity) != CommitIdentity.Different)
      same.fold(file)(earlier => file.copy(content = earlier.content))
    }
  }

  /** @param newest the newest version of the log */
  def ending(newest: Long, now: Long): Tail = copy(end = Some(Tail.End(newest, now)))

  /** What was seen of the log's end before that time says nothing any more. */
  def endedSince(time: Long): Tail = copy(end = end.filter(_.seen > time))

  def endUnknown: Tail = copy(end = None)

  /** The newest version of the log, if that is known. */
  def newest: Option[Long] = end.map(_.version)

  def reading(read: Tail.Read): Tail = {
    val at = indexOf(read.file.version)
    val isListed = files.lift(at).exists(_.version == read.file.version)
    copy(
      files = if (isListed) files.updated(at, read.file) else files,
      parsed = parsed.takeRight(1) :+ read)
  }

  def read(version: Long): Option[Tail.Read] = parsed.find(_.file.version == version)

  /** Forgets what no batch from this version on needs. */
  def from(version: Long): Tail = {
    val earliest = version - Tail.lookback
    copy(
      first = first.max(earliest),
      files = files.drop(indexOf(earliest)),
      parsed = parsed.filter(_.file.version >= version)
    )
  }

  /**
   * When the last version before this one was made, in milliseconds since 1970, by the times of the files: each at
   * least one after the version before it, counted from [[Tail.lookback]] versions before the batch on, as Delta does.
   */
  def clock(batch: Long, before: Long): Option[Long] =
    files
      .slice(indexOf(batch - Tail.lookback), indexOf(before))
      .foldLeft(Option.empty[Long])((last, file) => Some(Tail.tick(last, file)))

  private def indexOf(version: Long): Int = files.view.map(_.version).search(version).insertionPoint
}

object Tail {

  /** Delta makes the times of a change feed's versions monotone from so many versions before the batch on. */
  val lookback = 100L

  /** A longer log is listed again where these end. */
  val most = 50000

  val unknown: Tail = Tail(0, Vector.empty, Vector.empty, None, isCurrent = false, 0, None)

  /** @param seen in milliseconds of the reader's clock */
  final case class End(version: Long, seen: Long)

  final case class Read(file: CommitFile, commit: Commit)

  /** The time of a version by its file's and by that of the version before it. */
  def tick(last: Option[Long], file: CommitFile): Long =
    last.fold(file.status.getModificationTime)(time => file.status.getModificationTime.max(time + 1))
}
