// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.spark.sql.delta.stream.model.{Commit, CommitFile, CommitIdentity}

/**
 * The cached listing near the stream's position, and the commits last read. Immutable: methods that change
 * something return a new cache. [[LogPoller]] uses it to find the next commit.
 *
 * @param first      from this version on, `files` has every commit that the log had, up to the last of them
 * @param files      the commit files seen, ascending, from [[LogTailCache.timestampLookback]] versions before the
 *                   stream's position on; of a listing, the first [[LogTailCache.maxFiles]]
 * @param parsed     the last two commits read: the one the last batch ended in, and the one read after it to
 *                   look ahead
 * @param listedAt   when the log was last listed, in milliseconds of the poller's clock; `None` before the
 *                   first listing
 * @param isListingCurrent  whether that listing was made during the current call and reached the end of the log
 * @param lookupHits how many lookups by name succeeded in a row since that listing
 * @param end        where the log was last seen to end; `None` once a later commit was found
 */
private[stream] final case class LogTailCache(
    first: Long,
    files: Vector[CommitFile],
    parsed: Vector[LogTailCache.ParsedCommit],
    listedAt: Option[Long],
    isListingCurrent: Boolean,
    lookupHits: Int,
    end: Option[LogTailCache.End]
) {

  /** Returns the first cached commit file at or after this version. */
  def firstAtOrAfter(version: Long): Option[CommitFile] = files.lift(indexOf(version))

  /** Returns the last cached commit file before this version. */
  def before(version: Long): Option[CommitFile] = files.lift(indexOf(version) - 1)

  /** Returns the cached commit files after this version, ascending. */
  def after(version: Long): Iterator[CommitFile] = files.iterator.drop(indexOf(version + 1))

  /** Adds a commit file found by name. */
  def withFound(file: CommitFile): LogTailCache = {
    val (before, after) = files.splitAt(indexOf(file.version))
    copy(
      files = (before :+ file) ++ after,
      lookupHits = lookupHits + 1,
      end = end.filter(_.version >= file.version))
  }

  /** Removes a commit file that no longer exists; the listing that showed it is no longer current. */
  def without(file: CommitFile): LogTailCache =
    copy(files = files.filterNot(_.version == file.version), isListingCurrent = false)

  /**
   * Marks the listing as not current, because a new call begins: the log may have grown since it was listed.
   */
  def invalidateListing: LogTailCache = copy(isListingCurrent = false)

  /** Returns the commit file of this version, if it was listed during the current call. */
  def findListed(version: Long): Option[CommitFile] =
    firstAtOrAfter(version).filter(isListingCurrent && _.version == version)

  /**
   * Records that a lookup by name found nothing after the cached commits.
   *
   * @param now milliseconds of the poller's clock
   */
  def withMiss(now: Long): LogTailCache =
    copy(lookupHits = 0).withEnd(files.lastOption.fold(first - 1)(_.version), now)

  /**
   * Replaces the cached files with those of a new listing.
   *
   * @param from   the version from which the log was listed
   * @param listed all commit files the listing showed, ascending
   * @param now    milliseconds of the poller's clock
   */
  def withListing(from: Long, listed: Vector[CommitFile], now: Long): LogTailCache =
    copy(
      first = from,
      files = withKnownContent(listed.take(LogTailCache.maxFiles)),
      listedAt = Some(now),
      isListingCurrent = listed.size <= LogTailCache.maxFiles,
      lookupHits = 0
    ).withEnd(listed.lastOption.fold(from - 1)(_.version), now)

  /**
   * Keeps the content hash of commits that were read, unless the listing shows that the file is a different
   * one.
   */
  private def withKnownContent(listed: Vector[CommitFile]): Vector[CommitFile] = {
    val read = files.filter(_.contentHash.nonEmpty).map(file => file.version -> file).toMap
    listed.map { file =>
      val same = read.get(file.version).filter(_.identity.compare(file.identity) != CommitIdentity.Different)
      same.fold(file)(earlier => file.copy(contentHash = earlier.contentHash))
    }
  }

  /**
   * Records where the log ends.
   *
   * @param latest the latest version of the log
   * @param now    milliseconds of the poller's clock
   */
  def withEnd(latest: Long, now: Long): LogTailCache = copy(end = Some(LogTailCache.End(latest, now)))

  /**
   * Forgets where the log ends if that was seen at or before `time`, in milliseconds of the poller's clock.
   */
  def dropEndSeenBefore(time: Long): LogTailCache = copy(end = end.filter(_.seenAt > time))

  /** Forgets where the log ends. */
  def withoutEnd: LogTailCache = copy(end = None)

  /** Returns the latest version of the log, if it is known. */
  def latestVersion: Option[Long] = end.map(_.version)

  /** Keeps a commit that was just read, with the one read before it, and the content hash of its file. */
  def withParsed(read: LogTailCache.ParsedCommit): LogTailCache = {
    val index = indexOf(read.file.version)
    val isListed = files.lift(index).exists(_.version == read.file.version)
    copy(
      files = if (isListed) files.updated(index, read.file) else files,
      parsed = parsed.takeRight(1) :+ read)
  }

  /** Returns the commit of this version, if it is one of the last two read. */
  def parsedCommit(version: Long): Option[LogTailCache.ParsedCommit] = parsed.find(_.file.version == version)

  /** Drops what no batch that begins at this version or later needs. */
  def from(version: Long): LogTailCache = {
    val earliest = version - LogTailCache.timestampLookback
    copy(
      first = first.max(earliest),
      files = files.drop(indexOf(earliest)),
      parsed = parsed.filter(_.file.version >= version)
    )
  }

  /**
   * Returns the time of the last cached version before `before`, in milliseconds since 1970; `None` if none
   * is cached. Times are the modification times of the commit files, each at least one millisecond after that
   * of the version before it, counted from [[LogTailCache.timestampLookback]] versions before the batch on, as Delta
   * does.
   *
   * @param batchStartVersion the version the batch begins at
   */
  def timeBefore(batchStartVersion: Long, before: Long): Option[Long] =
    files
      .slice(indexOf(batchStartVersion - LogTailCache.timestampLookback), indexOf(before))
      .foldLeft(Option.empty[Long])((last, file) => Some(LogTailCache.monotonicTime(last, file)))

  private def indexOf(version: Long): Int = files.view.map(_.version).search(version).insertionPoint
}

private[stream] object LogTailCache {

  /**
   * Delta makes the times of a change feed's versions monotonic from this many versions before the batch on.
   */
  val timestampLookback = 100L

  /** How many commit files of a listing are cached; a longer log is listed again after the last of them. */
  val maxFiles = 50000

  /** The cache of a log that has not been listed yet. */
  val empty: LogTailCache =
    LogTailCache(0, Vector.empty, Vector.empty, None, isListingCurrent = false, lookupHits = 0, None)

  /**
   * Returns the cache of a log whose last commits are known from an earlier listing. Without any it is [[empty]].
   *
   * @param commits consecutive, up to the latest
   * @param now     milliseconds of the poller's clock
   */
  def of(commits: Vector[CommitFile], now: Long): LogTailCache =
    commits.headOption.fold(empty)(first =>
      empty.withListing(first.version, commits, now).invalidateListing)

  /**
   * Where the log was seen to end.
   *
   * @param version the latest version
   * @param seenAt  milliseconds of the poller's clock
   */
  final case class End(version: Long, seenAt: Long)

  /**
   * A commit that was read.
   *
   * @param file its file, with the hash of its content
   */
  final case class ParsedCommit(file: CommitFile, commit: Commit)

  /**
   * Returns the time of a version, in milliseconds since 1970: the modification time of its file, or one
   * millisecond after the time of the version before it if that is later.
   *
   * @param last the time of the version before it, if there is one
   */
  def monotonicTime(last: Option[Long], file: CommitFile): Long =
    last.fold(file.status.getModificationTime)(time => file.status.getModificationTime.max(time + 1))
}
