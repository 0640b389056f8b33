// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.io.FileNotFoundException
import java.util.concurrent.atomic.AtomicReference

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.catalog.CatalogTable

import org.apache.spark.sql.delta.stream.conf.PrefetchLimits
import org.apache.spark.sql.delta.stream.log.parse.{CommitChecksum, CommitParser, LargeCommit, ReadFailure}
import org.apache.spark.sql.delta.stream.model.CommitIdentity.{Different, Same}
import org.apache.spark.sql.delta.stream.model.{
  Commit,
  CommitFile,
  CommitIdentity,
  FileSystemErrors,
  FileSystemFailure,
  MetadataAndProtocol,
  StreamErrors,
  StreamException
}
import org.apache.spark.sql.delta.util.FileNames
import org.apache.spark.sql.delta.{
  DeltaErrors,
  DeltaLog,
  DeltaUnsupportedTableFeatureException,
  InvalidProtocolVersionException,
  Snapshot,
  VersionNotFoundException
}

/**
 * The log of a Delta table.
 *
 * @param fileActionFilter which file actions of a commit belong to the stream
 * @param initialCommits where commits are found, until one of them makes the table coordinated or
 *                       catalog-managed
 * @param latestSnapshot finds the latest version of the table
 * @param maxInMemoryCommitBytes commit files up to this size in bytes are held in memory as a whole
 * @param prefetchLimits how much is read before it is needed
 * @param openFiles        returns the files of a snapshot, in the order of an initial snapshot
 */
private[delta] final class DeltaTableLog(
    deltaLog: DeltaLog,
    catalogTable: Option[CatalogTable],
    fileActionFilter: CommitParser.FileActionFilter,
    initialCommits: CommitFinder,
    latestSnapshot: LatestSnapshotProvider,
    maxInMemoryCommitBytes: Long,
    prefetchLimits: PrefetchLimits,
    openFiles: Snapshot => SnapshotFiles
) extends TableLog {

  private val opener = new CommitOpener(deltaLog.store, RefreshingHadoopConf.of(deltaLog))
  private val prefetcher = new CommitPrefetcher(prefetchLimits)(parse)

  /** The table may become catalog-managed while it is read: [[read]] then replaces this. */
  private val commits = new AtomicReference(initialCommits)

  override def latestVersion(): Long = namingFailures(deltaLog.logPath.toString)(latestSnapshot.get().version)

  override def cachedLatestVersion(): Long = deltaLog.unsafeVolatileSnapshot.version

  /**
   * Delta has listed the commits since the checkpoint for its snapshot. Empty if some of them are compacted into
   * one file, or are not found by name.
   */
  override def cachedCommits(): Vector[CommitFile] = {
    val listed = Option(deltaLog.unsafeVolatileSnapshot.logSegment).toVector.flatMap(_.deltas)
    if (!hasCheapLookup || listed.exists(FileNames.isCompactedDeltaFile)) Vector.empty
    else listed.map(file => CommitFile(FileNames.deltaVersion(file), file)).sortBy(_.version)
  }

  override def hasCheapLookup: Boolean = commits.get.hasCheapLookup

  override def find(version: Long): Option[CommitFile] = lookup(_.find(version))

  override def findKnown(version: Long): Option[CommitFile] = lookup(_.findKnown(version))

  /** Fails with `DELTASOURCE_LOG_READ_FAILED` also if the log no longer exists. */
  override def list(from: Long): Vector[CommitFile] =
    try lookup(_.list(from))
    catch { case e: FileNotFoundException => throw FileSystemErrors.logGone(deltaLog.logPath.toString, e) }

  private def lookup[A](ask: CommitFinder => A): A =
    namingFailures(deltaLog.logPath.toString)(ask(commits.get))

  /** Fails with `DELTASOURCE_LOG_READ_FAILED` if the file system fails. */
  private def namingFailures[A](path: String)(read: => A): A =
    FileSystemErrors.naming(FileSystemErrors.logReadFailed(path, _, _))(read)

  /**
   * Reads the commit, or takes it from its prefetch. Fails as Delta does if the commit's protocol is not
   * supported, and with a typed error if the commit cannot be read or was replaced while it was read. If the
   * file system fails in the middle of the commit, reads it again, up to two times, and then fails with
   * `DELTASOURCE_LOG_READ_FAILED`.
   */
  override def read(file: CommitFile): Option[Commit] = {
    val commit = prefetcher.read(file)
    commit.flatMap(_.protocol).foreach(deltaLog.protocolRead)
    if (hasCheapLookup && commit.exists(CommitFinder.isCoordinatedAfter)) {
      commits.set(CommitFinder.of(deltaLog, catalogTable, latestSnapshot.get()))
      prefetcher.prefetch(Iterator.empty)
    }
    commit
  }

  /** Prefetches these, in order; nothing for shared, coordinated and catalog-managed tables. */
  override def prefetch(files: Iterator[CommitFile]): Unit =
    prefetcher.prefetch(if (hasCheapLookup) files else Iterator.empty)

  private def parse(file: CommitFile): Option[Commit] =
    try Some(ReadFailure.retrying(file.path)(parseOnce(file)))
    catch {
      // A file without read permission is also reported as not found, but a lookup still finds the same file.
      // If the lookup cannot tell whether it is the same, the commit is treated as deleted and looked up again.
      case e: FileNotFoundException if find(file.version).exists(comparesAs(Same, file)) =>
        throw StreamErrors.unopenableCommit(file.version, file.path, e)
      case _: FileNotFoundException => None
      // A store that identifies the file by its listed status fails to read another file at the same path.
      case _: StreamException | _: ReadFailure
          if findKnown(file.version).exists(comparesAs(Different, file)) =>
        throw StreamErrors.replacedCommit(file.version, file.path)
      case e: ReadFailure => throw FileSystemErrors.logReadFailed(file.path, e.reason, e)
      case e @ FileSystemFailure(reason) => throw FileSystemErrors.logReadFailed(file.path, reason, e)
    }

  private def parseOnce(file: CommitFile): Commit =
    if (file.status.getLen <= maxInMemoryCommitBytes || !opener.canBypassLogStore(file.status))
      parseInMemory(file)
    else new LargeCommit(file, fileActionFilter)(openAt).parse()

  /**
   * Opens a large commit at a byte offset. Fails with `FileNotFoundException` if it no longer exists, and
   * with `DELTASOURCE_COMMIT_REPLACED` if it is another commit than `file`. The comparison is undecided only
   * if nothing of the file was read yet; then it may be opened.
   */
  private def openAt(file: CommitFile, offset: Long): LargeCommit.OpenedCommit = {
    val found = findKnown(file.version).getOrElse(throw new FileNotFoundException(file.path))
    if (found.compare(file)(contentHash) == Different)
      throw StreamErrors.replacedCommit(file.version, file.path)
    // Opens the file found now: a commit that was staged when it was first read may since be published.
    val in = opener.open(found.status)
    in.seek(offset)
    LargeCommit.OpenedCommit(found.copy(contentHash = file.contentHash), in)
  }

  private def comparesAs(result: CommitIdentity.Comparison, file: CommitFile)(found: CommitFile): Boolean =
    found.identity.compare(file.identity) == result

  override def contentHash(file: CommitFile): Option[Long] =
    try
      namingFailures(file.path) {
        val checksum = new CommitChecksum
        val lines = opener.lines(file.status, checksum)
        try lines.foreach(_ => ())
        finally lines.close()
        Some(checksum.value)
      }
    catch { case _: FileNotFoundException => None }

  /** Parses the commit and holds all of its files in memory. */
  private def parseInMemory(file: CommitFile): Commit = {
    val checksum = new CommitChecksum
    val lines = opener.lines(file.status, checksum)
    try CommitParser.parse(file, lines, fileActionFilter).copy(contentHash = Some(checksum.value))
    finally lines.close()
  }

  /**
   * Returns the files of this version. Delta returns a snapshot it has in memory without checking the log, so
   * files of that one are read through [[CachedSnapshotFiles]]. Fails with Delta's
   * `DELTA_LOG_FILE_NOT_FOUND_FOR_STREAMING_SOURCE` if a file of the log that the version needs no longer
   * exists, and with `DELTASOURCE_EMPTY_COMMIT` if one of its commits was listed without a byte.
   */
  override def snapshot(version: Long): SnapshotFiles = {
    val cached = deltaLog.unsafeVolatileSnapshot
    val found = snapshotAt(version)
    if (found eq cached) new CachedSnapshotFiles(found, new SnapshotRetry(deltaLog, catalogTable), openFiles)
    else openFiles(found)
  }

  /**
   * Fails if this version is reconstructed from a commit without a byte. Delta skips it, so the stream would never
   * read it, even if the file is restored.
   */
  private def failOnEmptyCommit(snapshot: Snapshot): Unit =
    Option(snapshot.logSegment).toVector.flatMap(_.deltas)
      .find(file => file.getLen == 0 && !FileNames.isCompactedDeltaFile(file))
      .foreach { file =>
        // Delta would keep this listing as long as the last commit stays the same, even if this one is restored.
        DeltaLog.invalidateCache(SparkSession.active, deltaLog.dataPath)
        throw StreamErrors.emptyCommit(FileNames.deltaVersion(file), file.getPath.toString)
      }

  /**
   * Returns the schema of this version, or the error if the version cannot be reconstructed, or asks for
   * features this reader does not support. Such a schema cannot be compared, but the commits may be readable
   * all the same, as in delta-spark.
   */
  override def metadataAndProtocol(version: Long): Either[Throwable, MetadataAndProtocol] =
    try Right(MetadataAtVersion.at(deltaLog, catalogTable, version))
    catch {
      // Which of these Delta throws depends on which commits are missing. A failing store throws others.
      case e @ (_: FileNotFoundException | _: VersionNotFoundException | _: IllegalStateException |
          _: IllegalArgumentException | _: DeltaUnsupportedTableFeatureException |
          _: InvalidProtocolVersionException) =>
        Left(e)
    }

  private def snapshotAt(version: Long): Snapshot = {
    val found =
      try namingFailures(deltaLog.logPath.toString)(deltaLog.getSnapshotAt(
          version,
          catalogTableOpt = catalogTable))
      catch {
        case e: FileNotFoundException => throw DeltaErrors.logFileNotFoundExceptionForStreamingSource(e)
      }
    failOnEmptyCommit(found)
    found
  }
}
