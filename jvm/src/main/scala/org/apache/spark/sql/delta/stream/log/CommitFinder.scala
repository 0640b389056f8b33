// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import org.apache.spark.sql.catalyst.catalog.CatalogTable

import org.apache.hadoop.fs.{FileStatus, FileSystem, Path}
import org.apache.spark.sql.delta.actions.{Metadata, Protocol}
import org.apache.spark.sql.delta.coordinatedcommits.CoordinatedCommitsUtils
import org.apache.spark.sql.delta.storage.LogStore
import org.apache.spark.sql.delta.stream.model.{Commit, CommitFile}
import org.apache.spark.sql.delta.util.FileNames
import org.apache.spark.sql.delta.{CatalogOwnedTableFeature, DeltaLog, SnapshotDescriptor}

/** Finds the commit files of a table. */
private[stream] sealed abstract class CommitFinder {

  /** Looks up a commit that may not exist yet, once. `None` if there is no such commit. */
  def find(version: Long): Option[CommitFile]

  /**
   * Looks up a commit that was seen before, once. The result is that of [[find]]; on an object store, this
   * takes fewer requests if the commit still exists, and more if it does not.
   */
  def findKnown(version: Long): Option[CommitFile]

  /** Lists the commits from this version on: ascending, each version at most once, possibly with gaps. */
  def list(from: Long): Vector[CommitFile]

  /**
   * Whether a lookup is one request to the file system, and the file it finds stays as it is. Neither holds
   * for tables whose commits Delta lists: a staged commit is published under another name, and Delta Sharing
   * rewrites its log.
   */
  def hasCheapLookup: Boolean
}

private[stream] object CommitFinder {

  /**
   * Returns the commit files of a table: those in the log's folder, or, for shared, coordinated and
   * catalog-managed tables, those that Delta lists.
   *
   * @param table has the metadata and protocol that say whether commits are coordinated
   */
  def of(deltaLog: DeltaLog, catalogTable: Option[CatalogTable], table: SnapshotDescriptor): CommitFinder =
    if (isDeltaSharingLog(deltaLog) || isCoordinated(Some(table.metadata), Some(table.protocol)))
      new CoordinatedCommits(deltaLog, catalogTable)
    else new LogFolder(deltaLog.store, deltaLog.logPath, RefreshingHadoopConf.of(deltaLog))

  /**
   * Whether the table is coordinated or catalog-managed after this commit: then the log's folder is not
   * authoritative.
   */
  def isCoordinatedAfter(commit: Commit): Boolean = isCoordinated(commit.metadata, commit.protocol)

  private def isCoordinated(metadata: Option[Metadata], protocol: Option[Protocol]): Boolean =
    protocol.exists(_.isFeatureSupported(CatalogOwnedTableFeature)) ||
      metadata.exists(CoordinatedCommitsUtils.tablePropertiesPresent)

  /**
   * Whether the log was written by Delta Sharing. It writes the files it receives from the server as a log of
   * its own, and rewrites that log when it receives more.
   */
  def isDeltaSharingLog(deltaLog: DeltaLog): Boolean = deltaLog.logPath.toUri.getScheme == "delta-sharing-log"
}

/** Finds commits in the log's folder, which holds them all: a lookup is one request to the file system. */
private[delta] final class LogFolder(store: LogStore, logPath: Path, hadoopConf: RefreshingHadoopConf)
    extends CommitFinder {

  override def hasCheapLookup: Boolean = true

  override def find(version: Long): Option[CommitFile] = lookUp(version)(FileLookup.find)

  override def findKnown(version: Long): Option[CommitFile] = lookUp(version)(FileLookup.status)

  /**
   * Looks up the commit by name. The log store interface has no lookup, so this asks the file system, at the
   * path where the store says it keeps the file.
   */
  private def lookUp(version: Long)(
      status: (FileSystem, Path) => Option[FileStatus]): Option[CommitFile] = {
    val path = FileNames.unsafeDeltaFile(logPath, version)
    val conf = hadoopConf.get()
    val physical = PhysicalPath.of(store, path, conf)
    status(physical.getFileSystem(conf), physical).map(file =>
      CommitFile(version, if (physical == path) file else PhysicalPath.withPath(file, path)))
  }

  /**
   * Lists the commits. The listing of a log store may be unordered, repeat a name, or contain a folder named
   * like a commit, so it is filtered and sorted here.
   */
  override def list(from: Long): Vector[CommitFile] = {
    val listed = store.listFrom(FileNames.listingPrefix(logPath, from), hadoopConf.get())
    listed
      .filter(_.isFile)
      .flatMap(file => LogFolder.versionOf(file.getPath.getName).map(CommitFile(_, file)))
      .filter(_.version >= from)
      .toVector
      .distinctBy(_.version)
      .sortBy(_.version)
  }
}

private[delta] object LogFolder {
  private val suffix = ".json"

  private def isDigit(char: Char) = char >= '0' && char <= '9'

  /**
   * Returns the version of the commit with this file name, or `None` if it is not the name of a commit. Delta
   * matches names against regular expressions, which takes as long as the listing.
   */
  def versionOf(name: String): Option[Long] = {
    val number = name.stripSuffix(suffix)
    Option.when(number.length < name.length && number.forall(isDigit))(number).flatMap(_.toLongOption)
  }
}

/**
 * Finds commits through Delta, with a listing each time, for tables whose commits are not defined by the
 * log's folder alone: those of a commit coordinator, catalog-managed tables, and tables of Delta Sharing.
 */
private[delta] final class CoordinatedCommits(deltaLog: DeltaLog, catalogTable: Option[CatalogTable])
    extends CommitFinder {

  override def hasCheapLookup: Boolean = false

  override def find(version: Long): Option[CommitFile] =
    commits(version).nextOption().filter(_.version == version)

  override def findKnown(version: Long): Option[CommitFile] = find(version)

  override def list(from: Long): Vector[CommitFile] = commits(from).toVector

  private def commits(from: Long): Iterator[CommitFile] =
    CoordinatedCommitsUtils.commitFilesIterator(deltaLog, catalogTable, from).map { case (file, version) =>
      CommitFile(version, file)
    }
}
