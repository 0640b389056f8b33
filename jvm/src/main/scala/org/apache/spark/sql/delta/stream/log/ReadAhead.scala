// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.util.concurrent.atomic.AtomicReference
import java.util.concurrent.{ExecutionException, Future}

import org.apache.spark.util.ThreadUtils

import org.apache.spark.sql.delta.stream.plan.Commit

/**
 * Reads commits before they are asked for, on threads of its own. What fails there is forgotten: the commit is read
 * again when it is asked for, and fails on the thread that asks (docs/design/0011-read-ahead.md).
 *
 * @param bounds what is read ahead and not yet asked for keeps within these
 * @param parse  opens a commit and reads it whole; none when it is no longer there
 */
final class ReadAhead(bounds: ReadAhead.Bounds)(parse: CommitFile => Option[Commit]) {
  import ReadAhead._

  private lazy val threads =
    ThreadUtils.newDaemonCachedThreadPool("delta-read-ahead", threadCount, keepAliveSeconds)

  /** By version. */
  private val begun = new AtomicReference(Map.empty[Long, Begun])

  /** The commit, read ahead or now. */
  def read(file: CommitFile): Option[Commit] =
    begun.getAndUpdate(
      _ - file.version).get(file.version).filter(_.isOf(file)).flatMap(_.outcome).orElse(parse(file))

  /**
   * These come next, in this order; what was begun and is not among the first of them is given up. While half of what
   * the bounds allow is still to be asked for, nothing more is begun.
   */
  def expect(files: Iterator[CommitFile]): Unit =
    if (files.isEmpty || begun.get.size <= bounds.commits / 2) {
      val next = bounds.first(files)(_.status.getLen)
      val known = begun.get
      val (wanted, fresh) = next.partition(file => known.get(file.version).exists(_.isOf(file)))
      val kept = known.view.filterKeys(wanted.map(_.version).toSet).toMap
      known.removedAll(kept.keys).values.foreach(_.giveUp())
      begun.set(kept ++ fresh.map(file => file.version -> new Begun(file, threads.submit(() => parse(file)))))
    }
}

object ReadAhead {

  /**
   * @param commits so many at most; 0 reads nothing ahead
   * @param bytes   so many of their files at most
   */
  final case class Bounds(commits: Int, bytes: Long) {

    /** The first of these that keep within. */
    def first[A](files: Iterator[A])(length: A => Long): Vector[A] = {
      val some = files.take(commits).toVector
      val sums = some.scanLeft(0L)(_ + length(_)).drop(1)
      some.zip(sums).takeWhile(_._2 <= bytes).map(_._1)
    }
  }

  val nothing: Bounds = Bounds(0, 0)

  private val threadCount = 4
  private val keepAliveSeconds = 10

  private final class Begun(file: CommitFile, reading: Future[Option[Commit]]) {

    /** A file may be replaced between two listings. */
    def isOf(other: CommitFile): Boolean = file.isSame(other)

    /** None if there was nothing, or a failure. */
    def outcome: Option[Commit] =
      try reading.get()
      catch { case _: ExecutionException => None }

    /** A file system may not like to be interrupted: what is under way ends by itself. */
    def giveUp(): Unit = {
      val _ = reading.cancel(false)
    }
  }
}
