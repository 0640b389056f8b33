// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.util.concurrent.atomic.AtomicReference
import java.util.concurrent.{ExecutionException, Future}

import org.apache.spark.util.ThreadUtils

import org.apache.spark.sql.delta.stream.conf.PrefetchLimits
import org.apache.spark.sql.delta.stream.model.{Commit, CommitFile, CommitIdentity}

/**
 * Reads commits in the background before the stream needs them. Prefetch errors surface when the commit is
 * read: a prefetch that failed is dropped, and the commit is read again on the calling thread, where it may
 * fail (docs/internals/design/0011-prefetch.md).
 *
 * @param limits how many commits, and how many bytes of their files, may be prefetched and not yet read by
 *               the stream
 * @param parse  opens a commit and reads it whole; `None` if its file no longer exists
 */
private[log] final class CommitPrefetcher(limits: PrefetchLimits)(parse: CommitFile => Option[Commit]) {
  import CommitPrefetcher._

  private lazy val threads =
    ThreadUtils.newDaemonCachedThreadPool("delta-prefetch", threadCount, keepAliveSeconds)

  private val state = new AtomicReference(State(Map.empty, refillThreshold = 0))

  /**
   * Returns the prefetched commit, waiting for it if its prefetch is still running, or reads it now. Fails as
   * `parse` does, or with `InterruptedException` if interrupted while it waits.
   *
   * @return `None` if the file no longer exists
   */
  def read(file: CommitFile): Option[Commit] =
    state.getAndUpdate(_.without(file.version)).find(file).flatMap(_.result()).orElse(parse(file))

  /**
   * Prefetches these, in order, as far as the limits allow, and cancels earlier prefetches that are no longer
   * among them. Does nothing while more than half of the commits last prefetched are still unread, unless
   * there are no files: that cancels every prefetch.
   */
  def prefetch(files: Iterator[CommitFile]): Unit =
    if (files.isEmpty || state.get.isLow) {
      val previous = state.get
      val next = limits.first(files)(_.status.getLen)
      val unread = next.map { file =>
        file.version -> previous.find(file).getOrElse(new Prefetch(file, threads.submit(() => parse(file))))
      }.toMap
      for ((version, started) <- previous.unread if !unread.get(version).contains(started)) started.cancel()
      state.set(State(unread, refillThreshold = unread.size / 2))
    }
}

private[log] object CommitPrefetcher {

  private val threadCount = 4
  private val keepAliveSeconds = 10

  /**
   * @param unread          by version, the prefetches whose commits were not read yet
   * @param refillThreshold while there are more than this many, no more are started
   */
  private final case class State(unread: Map[Long, Prefetch], refillThreshold: Int) {
    def find(file: CommitFile): Option[Prefetch] = unread.get(file.version).filter(_.isOf(file))
    def without(version: Long): State = copy(unread = unread - version)
    def isLow: Boolean = unread.size <= refillThreshold
  }

  private final class Prefetch(file: CommitFile, task: Future[Option[Commit]]) {

    /**
     * Whether this prefetch read that file. A file may be replaced between two listings; if the file system
     * cannot decide, the answer is no, and the commit is read again.
     */
    def isOf(other: CommitFile): Boolean = file.identity.compare(other.identity) == CommitIdentity.Same

    /** Waits for the commit; `None` if its file no longer existed, or if reading it failed. */
    def result(): Option[Commit] =
      try task.get()
      catch { case _: ExecutionException => None }

    /**
     * Stops a prefetch that has not started. A running one is not interrupted: not every file system copes
     * with that.
     */
    def cancel(): Unit = {
      val _ = task.cancel(false)
    }
  }
}
