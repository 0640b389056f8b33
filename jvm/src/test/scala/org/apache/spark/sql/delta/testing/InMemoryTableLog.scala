// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import scala.collection.immutable.SortedMap

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.delta.actions.{AddFile, Protocol}
import org.apache.spark.sql.delta.stream.log.{SnapshotFiles, TableLog}
import org.apache.spark.sql.delta.stream.model.{
  Commit,
  CommitFile,
  FileList,
  MetadataAndProtocol,
  StreamErrors
}

/** A table's log without a file system, counting the calls to it. Tests change it while a stream runs. */
final class InMemoryTableLog extends TableLog {
  private var commits = SortedMap.empty[Long, (Long, Commit)]
  private var edits = 0L
  var lookups = 0
  var listings = 0
  var prefetched = Vector.empty[Long]
  var reads = Vector.empty[Long]
  var canLookUp = true
  var known = Vector.empty[Long]
  var hidden = Option.empty[Long]
  var torn = Set.empty[Long]
  var closed = Vector.empty[(Long, Boolean)]

  def put(commit: Commit): InMemoryTableLog = {
    edits += 1
    commits += commit.version -> (edits -> commit)
    this
  }

  def append(version: Long, sizes: Long*): InMemoryTableLog =
    put(Commit(
      version,
      FileList.of(sizes.zipWithIndex.map { case (size, i) =>
        InMemoryTableLog.file(s"$version-$i", size)
      }.toVector)
    ))

  def remove(version: Long): InMemoryTableLog = {
    commits -= version
    this
  }

  override def latestVersion(): Long = cachedLatestVersion()
  override def cachedLatestVersion(): Long = commits.lastOption.fold(-1L)(_._1)

  override def cachedCommits(): Vector[CommitFile] = known.map(file)

  override def hasCheapLookup: Boolean = canLookUp

  override def find(version: Long): Option[CommitFile] = {
    lookups += 1
    commits.get(version).map(_ => file(version))
  }

  override def findKnown(version: Long): Option[CommitFile] = find(version)

  override def list(from: Long): Vector[CommitFile] = {
    listings += 1
    commits.keysIterator.filter(_ >= from).filterNot(hidden.contains).map(file).toVector
  }

  override def read(file: CommitFile): Option[Commit] = {
    reads :+= file.version
    if (torn.contains(file.version)) throw StreamErrors.emptyCommit(file.version, file.path)
    commits.get(file.version).map { case (edit, commit) => commit.copy(contentHash = Some(edit)) }
  }

  override def contentHash(file: CommitFile): Option[Long] = commits.get(file.version).map(_._1)

  override def prefetch(files: Iterator[CommitFile]): Unit = prefetched = files.map(_.version).toVector

  /** Everything added up to that version, in the order of the commits. */
  override def snapshot(at: Long): SnapshotFiles = new SnapshotFiles {
    private val files = commits
      .filter(_._1 <= at)
      .values
      .flatMap(_._2.files.from(0).collect { case add: AddFile => add })
      .toVector
    override def version: Long = at
    override def inCommitTimestamp: Option[Long] = None
    override def commitFileTime: Option[Long] = commits.get(at).map(_._1 * 1000)
    override def knownSize: Option[Long] = Some(size)
    override def size: Long = files.size.toLong
    override def from(index: Long): Iterator[AddFile] = files.iterator.drop(index.toInt)
    override def close(unpersistSnapshot: Boolean): Unit = closed :+= at -> unpersistSnapshot
  }

  override def metadataAndProtocol(version: Long): Either[Throwable, MetadataAndProtocol] = {
    val until = commits.filter(_._1 <= version).values.map(_._2)
    until
      .flatMap(_.metadata)
      .lastOption
      .map(MetadataAndProtocol(_, until.flatMap(_.protocol).lastOption.getOrElse(Protocol(1, 2))))
      .toRight(new NoSuchElementException("metadata"))
  }

  private def file(version: Long): CommitFile =
    CommitFile(
      version,
      new FileStatus(1, false, 1, 1, commits(version)._1 * 1000, new Path(s"/log/$version.json"))
    )
}

object InMemoryTableLog {
  def file(path: String, size: Long = 1, partition: Map[String, String] = Map.empty): AddFile =
    AddFile(path, partition, size, modificationTime = 0, dataChange = true)
}
