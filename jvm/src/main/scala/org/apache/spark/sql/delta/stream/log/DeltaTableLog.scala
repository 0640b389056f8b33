// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.io.{FileNotFoundException, InputStream}

import org.apache.spark.sql.catalyst.catalog.CatalogTable

import org.apache.spark.sql.delta.stream.StreamErrors
import org.apache.spark.sql.delta.stream.plan.Commit
import org.apache.spark.sql.delta.stream.schema.TableSchema
import org.apache.spark.sql.delta.{
  DeltaErrors,
  DeltaLog,
  DeltaUnsupportedTableFeatureException,
  InvalidProtocolVersionException,
  Snapshot,
  VersionNotFoundException
}

/**
 * The log of a table of Delta's.
 *
 * @param reads   which file actions of a commit the stream is made of
 * @param filesOf the files of a version, in the order of an initial snapshot
 */
final class DeltaTableLog(
    deltaLog: DeltaLog,
    catalogTable: Option[CatalogTable],
    reads: CommitParser.Reads,
    commits: CommitFiles,
    newest: NewestSnapshot,
    bounds: LogBounds,
    filesOf: Snapshot => SnapshotFiles
) extends TableLog {

  private val hadoopConf = deltaLog.newDeltaHadoopConf()
  private val ahead = new ReadAhead(bounds.readAhead)(parse)

  override def latest(): Long = newest.get().version

  override def known(): Long = deltaLog.unsafeVolatileSnapshot.version

  override def find(version: Long): Option[CommitFile] = commits.find(version)

  override def list(from: Long): Vector[CommitFile] = commits.list(from)

  override def read(file: CommitFile): Option[Commit] = {
    val commit = ahead.read(file)
    commit.flatMap(_.protocol).foreach(deltaLog.protocolRead)
    commit
  }

  override def expect(files: Iterator[CommitFile]): Unit = ahead.expect(files)

  private def parse(file: CommitFile): Option[Commit] =
    try Some(
        if (file.status.getLen <= bounds.heldCommitBytes) held(file)
        else new LargeCommit(file, reads)(open(file)).parse())
    catch { case _: FileNotFoundException => None }

  private def open(file: CommitFile)(from: Long): InputStream = {
    val path = file.status.getPath
    val found = find(file.version).getOrElse(throw new FileNotFoundException(file.path))
    if (!found.sameAs(file)) throw StreamErrors.replacedCommit(file.version, file.path)
    val opened = path.getFileSystem(hadoopConf).open(path)
    opened.seek(from)
    opened
  }

  private def held(file: CommitFile): Commit = {
    val lines = deltaLog.store.readAsIterator(file.status, hadoopConf)
    try CommitParser.parse(file, lines, reads)
    finally lines.close()
  }

  override def snapshot(version: Long): SnapshotFiles = filesOf(snapshotAt(version))

  /** What cannot be rebuilt or read cannot be compared; its commits may be readable all the same, as on delta-spark. */
  override def schema(version: Long): Either[Throwable, TableSchema] =
    try {
      val snapshot = deltaLog.getSnapshotAt(version, catalogTableOpt = catalogTable)
      Right(TableSchema(snapshot.metadata, snapshot.protocol))
    } catch {
      // What Delta says of a log with commits missing depends on which; a store that fails says something else.
      case e @ (_: FileNotFoundException | _: VersionNotFoundException | _: IllegalStateException |
          _: IllegalArgumentException | _: DeltaUnsupportedTableFeatureException |
          _: InvalidProtocolVersionException) =>
        Left(e)
    }

  private def snapshotAt(version: Long): Snapshot =
    try deltaLog.getSnapshotAt(version, catalogTableOpt = catalogTable)
    catch {
      case e: FileNotFoundException => throw DeltaErrors.logFileNotFoundExceptionForStreamingSource(e)
    }
}
