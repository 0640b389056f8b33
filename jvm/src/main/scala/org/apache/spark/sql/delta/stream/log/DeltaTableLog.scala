// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.log

import java.io.FileNotFoundException

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.catalog.CatalogTable

import org.apache.spark.sql.delta.files.DeltaSourceSnapshot
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
 * @param driverFiles up to this many files of an initial snapshot are kept in the driver's memory
 * @param reads       which file actions of a commit the stream is made of
 */
final class DeltaTableLog(
    spark: SparkSession,
    deltaLog: DeltaLog,
    catalogTable: Option[CatalogTable],
    driverFiles: Long,
    reads: CommitParser.Reads,
    commits: CommitFiles
) extends TableLog {

  private val hadoopConf = deltaLog.newDeltaHadoopConf()

  override def latest(): Long = deltaLog.update(catalogTableOpt = catalogTable).version

  override def known(): Long = deltaLog.unsafeVolatileSnapshot.version

  override def find(version: Long): Option[CommitFile] = commits.find(version)

  override def list(from: Long): Vector[CommitFile] = commits.list(from)

  override def read(file: CommitFile): Option[Commit] =
    try {
      val lines = deltaLog.store.readAsIterator(file.status, hadoopConf)
      val commit =
        try CommitParser.parse(file, lines, reads)
        finally lines.close()
      commit.protocol.foreach(deltaLog.protocolRead)
      Some(commit)
    } catch { case _: FileNotFoundException => None }

  override def snapshot(version: Long): SnapshotFiles =
    new DeltaSourceSnapshot(spark, snapshotAt(version), Nil, driverFiles)

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
