// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.io.FileNotFoundException

import org.apache.spark.sql.catalyst.catalog.CatalogTable

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.actions.{Metadata, Protocol}
import org.apache.spark.sql.delta.coordinatedcommits.CoordinatedCommitsUtils
import org.apache.spark.sql.delta.storage.LogStore
import org.apache.spark.sql.delta.stream.plan.Commit
import org.apache.spark.sql.delta.util.FileNames
import org.apache.spark.sql.delta.{CatalogOwnedTableFeature, DeltaLog, SnapshotDescriptor}

/** Where the commit files of a table are found. */
sealed abstract class CommitFiles {

  /** One look for the commit of this version. */
  def find(version: Long): Option[CommitFile]

  /** The commits from this version on, ascending, each version once, possibly with gaps. */
  def list(from: Long): Vector[CommitFile]

  /** Whether a look costs one question to the file system, and what it has found stays as it is. */
  def byName: Boolean
}

object CommitFiles {

  def of(deltaLog: DeltaLog, catalogTable: Option[CatalogTable], table: SnapshotDescriptor): CommitFiles =
    if (areShared(deltaLog) || areCoordinated(Some(table.metadata), Some(table.protocol)))
      new CoordinatedCommits(deltaLog, catalogTable)
    else new LogFolder(deltaLog.store, deltaLog.logPath, RenewedHadoopConf.of(deltaLog))

  /** Whether somebody else than the log's folder says what is committed after this commit. */
  def areCoordinatedFrom(commit: Commit): Boolean = areCoordinated(commit.metadata, commit.protocol)

  private def areCoordinated(metadata: Option[Metadata], protocol: Option[Protocol]): Boolean =
    protocol.exists(_.isFeatureSupported(CatalogOwnedTableFeature)) ||
      metadata.exists(CoordinatedCommitsUtils.tablePropertiesPresent)

  /** Delta Sharing writes what it was sent as a log of its own making, and writes it anew when it is sent more. */
  def areShared(deltaLog: DeltaLog): Boolean = deltaLog.logPath.toUri.getScheme == "delta-sharing-log"
}

/** The folder of the log holds them all: one look is one question to the file system. */
final class LogFolder(store: LogStore, logPath: Path, hadoopConf: RenewedHadoopConf) extends CommitFiles {

  override def byName: Boolean = true

  /** The interface of log stores has no look by name: it goes to where the store says that the file is. */
  override def find(version: Long): Option[CommitFile] = {
    val path = FileNames.unsafeDeltaFile(logPath, version)
    val conf = hadoopConf.get()
    val physical = PhysicalPath.of(store, path, conf)
    try
      Some(physical.getFileSystem(conf).getFileStatus(physical))
        .filter(_.isFile)
        .map(file => CommitFile(version, if (physical == path) file else PhysicalPath.named(file, path)))
    catch { case _: FileNotFoundException => None }
  }

  /** A listing may repeat or disorder names, and hold a folder called like a commit. */
  override def list(from: Long): Vector[CommitFile] = {
    val names = store.listFrom(FileNames.listingPrefix(logPath, from), hadoopConf.get())
    names
      .filter(_.isFile)
      .flatMap(file => LogFolder.version(file.getPath.getName).map(CommitFile(_, file)))
      .filter(_.version >= from)
      .toVector
      .distinctBy(_.version)
      .sortBy(_.version)
  }
}

private[log] object LogFolder {
  private val ending = ".json"

  private def isDigit(char: Char) = char >= '0' && char <= '9'

  /** The version whose commit is called so. Delta asks patterns, which takes as long as the listing. */
  def version(name: String): Option[Long] = {
    val number = name.stripSuffix(ending)
    Option.when(number.length < name.length && number.forall(isDigit))(number).flatMap(_.toLongOption)
  }
}

/** Somebody else says what was committed (a coordinator, a catalog, Delta Sharing), so Delta is asked each time. */
final class CoordinatedCommits(deltaLog: DeltaLog, catalogTable: Option[CatalogTable]) extends CommitFiles {

  override def byName: Boolean = false

  override def find(version: Long): Option[CommitFile] =
    commits(version).nextOption().filter(_.version == version)

  override def list(from: Long): Vector[CommitFile] = commits(from).toVector

  private def commits(from: Long): Iterator[CommitFile] =
    CoordinatedCommitsUtils.commitFilesIterator(deltaLog, catalogTable, from).map { case (file, version) =>
      CommitFile(version, file)
    }
}
