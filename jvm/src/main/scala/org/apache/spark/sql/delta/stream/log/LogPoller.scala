// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.spark.sql.delta.stream.model.CommitFile

/**
 * Finds the next commit, and reads each commit once. At the head of the log it looks the commit up by name.
 * It lists the log instead:
 *  - when nothing has been listed yet;
 *  - after [[LogPoller.lookupsPerListing]] successful lookups in a row, because then many commits are
 *    waiting;
 *  - when a lookup finds nothing and the last listing is older than `listInterval`, because only a listing
 *    shows a gap;
 *  - always, where a lookup costs as much as a listing.
 *
 * After a listing there are no more lookups at the end of the log until Spark's next call.
 *
 * @param listInterval milliseconds; 0 lists whenever a lookup finds nothing
 * @param clock        returns milliseconds that never go back
 */
private[stream] final class LogPoller(log: TableLog, listInterval: Long, clock: () => Long) {

  /**
   * Reads the first commit at or after `version`. Fails as [[TableLog.read]] fails if that commit cannot be
   * read.
   *
   * @return the updated cache, and the commit, or `None` if the log ends before `version`; a commit of a
   *         later version means that the versions in between are missing
   */
  def next(cache: LogTailCache, version: Long): (LogTailCache, Option[LogTailCache.ParsedCommit]) = {
    val tail = if (version < cache.first) LogTailCache.empty else cache
    tail.firstAtOrAfter(version) match {
      case Some(file) if file.version == version => read(tail, file)
      case Some(later) => confirmGap(tail, version, later)
      case None if tail.isListingCurrent => (tail, None)
      case None
          if tail.listedAt.isEmpty || !log.hasCheapLookup || tail.lookupHits >= LogPoller.lookupsPerListing =>
        next(relist(tail, version), version)
      case None => lookUpAndRead(tail, version)
    }
  }

  private def lookUpAndRead(
      tail: LogTailCache,
      version: Long): (LogTailCache, Option[LogTailCache.ParsedCommit]) =
    log.find(version) match {
      case Some(file) => read(tail.withFound(file), file)
      case None if tail.listedAt.forall(_ + listInterval <= clock()) => next(relist(tail, version), version)
      case None => (tail.withMiss(clock()), None)
    }

  /**
   * Returns the updated cache, and the time of this version by the modification times of the commit files, in
   * milliseconds since 1970, or `None` if the log no longer has this version. Lists the log unless the cache
   * covers the [[LogTailCache.timestampLookback]] versions before it.
   */
  def time(cache: LogTailCache, version: Long): (LogTailCache, Option[Long]) = {
    val tail =
      if (cache.listedAt.nonEmpty && cache.first <= version - LogTailCache.timestampLookback) cache
      else relist(cache, version)
    (
      tail,
      tail.firstAtOrAfter(version).filter(_.version == version).map(LogTailCache.monotonicTime(
        tail.timeBefore(version, version),
        _)))
  }

  private def relist(tail: LogTailCache, version: Long): LogTailCache = {
    val from = version - LogTailCache.timestampLookback
    tail.withListing(from, log.list(from.max(0)), clock())
  }

  /**
   * Looks up the missing version by name before believing the gap. Listings are not atomic: while commits are
   * being written, a listing may show a commit without the one before it.
   */
  private def confirmGap(
      tail: LogTailCache,
      version: Long,
      later: CommitFile): (LogTailCache, Option[LogTailCache.ParsedCommit]) =
    log.find(version) match {
      case Some(file) => read(tail.withFound(file), file)
      case None => read(tail, later)
    }

  /**
   * Reads the commit, unless the cache still has it parsed. A file deleted between listing and opening leaves
   * a gap up to the next commit.
   *
   * A commit read earlier in this run is kept even if its file has been replaced since: half of one commit
   * and half of another do not make a batch. Whether the file was replaced is checked when the batch is
   * handed over.
   */
  private def read(tail: LogTailCache, file: CommitFile): (LogTailCache, Option[LogTailCache.ParsedCommit]) =
    tail.parsedCommit(file.version) match {
      case Some(read) => (tail, Some(read))
      case None =>
        log.read(file) match {
          case Some(commit) =>
            val read = LogTailCache.ParsedCommit(file.copy(contentHash = commit.contentHash), commit)
            (tail.withParsed(read), Some(read))
          case None => next(tail.without(file), file.version)
        }
    }
}

private[stream] object LogPoller {

  /** After this many successful lookups by name in a row, the log is listed. */
  val lookupsPerListing = 8
}
