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

  private val state = new AtomicReference(State(Map.empty, enough = 0))

  /** The commit, read ahead or now. */
  def read(file: CommitFile): Option[Commit] =
    state.getAndUpdate(_.without(file.version)).of(file).flatMap(_.outcome).orElse(parse(file))

  /**
   * These come next, in this order; what was begun and is not among the first of them is given up. While more than half
   * of what was last begun is still to be asked for, nothing is done.
   */
  def expect(files: Iterator[CommitFile]): Unit =
    if (files.isEmpty || state.get.isLow) {
      val known = state.get
      val next = bounds.first(files)(_.status.getLen)
      val begun = next.map { file =>
        file.version -> known.of(file).getOrElse(new Begun(file, threads.submit(() => parse(file))))
      }.toMap
      for ((version, reading) <- known.begun if !begun.get(version).contains(reading)) reading.giveUp()
      state.set(State(begun, enough = begun.size / 2))
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
      val summed = files.take(commits).scanLeft((0L, Option.empty[A])) { case ((sum, _), file) =>
        (sum + length(file), Some(file))
      }
      summed.takeWhile(_._1 <= bytes).flatMap(_._2).toVector
    }
  }

  val nothing: Bounds = Bounds(0, 0)

  private val threadCount = 4
  private val keepAliveSeconds = 10

  /**
   * @param begun  by version, what was not asked for yet
   * @param enough while there is more than that, nothing more is begun
   */
  private final case class State(begun: Map[Long, Begun], enough: Int) {
    def of(file: CommitFile): Option[Begun] = begun.get(file.version).filter(_.isOf(file))
    def without(version: Long): State = copy(begun = begun - version)
    def isLow: Boolean = begun.size <= enough
  }

  private final class Begun(file: CommitFile, reading: Future[Option[Commit]]) {

    /** A file may be replaced between two listings; if that is undecided it is read again. */
    def isOf(other: CommitFile): Boolean = file.identity.compare(other.identity) == CommitIdentity.Same

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
