// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.snapshot

import org.apache.spark.sql.functions.lit
import org.apache.spark.sql.types.StringType
import org.apache.spark.sql.{Dataset, SparkSession}
import org.apache.spark.unsafe.types.UTF8String

import org.apache.spark.sql.delta.Snapshot
import org.apache.spark.sql.delta.actions.AddFile
import org.apache.spark.sql.delta.implicits._
import org.apache.spark.sql.delta.stream.plan.FileList

/**
 * The files of a table version in the order of an initial snapshot: by modification time, then by path, compared as
 * unsigned UTF-8 bytes. A checkpoint stores only a number in this order, so it is a format: it never changes.
 */
trait SnapshotIndex extends FileList with AutoCloseable {

  override def from(index: Long): Iterator[AddFile]

  /** May be called twice. */
  override def close(): Unit
}

object SnapshotIndex {
  val defaultDriverFiles = 200000L

  def of(spark: SparkSession, snapshot: Snapshot, driverFiles: Long): SnapshotIndex =
    replayed(spark, snapshot, driverFiles).getOrElse {
      if (snapshot.numOfFiles <= driverFiles) DriverIndex.collect(files(snapshot))
      else ExecutorIndex.sort(spark, files(snapshot), snapshot.numOfFiles)
    }

  private def replayed(spark: SparkSession, snapshot: Snapshot, most: Long): Option[SnapshotIndex] =
    Option.when(most > 0)(new LogReplay(
      spark,
      snapshot.deltaLog,
      most)).flatMap(_.files(snapshot)).map(DriverIndex.of)

  private def files(snapshot: Snapshot): Dataset[AddFile] =
    withoutStatistics(if (DistributedReplay.isNeeded(snapshot)) DistributedReplay.files(snapshot)
    else snapshot.allFiles)

  /** Nobody asks for them, and they are most of the bytes. */
  private[snapshot] def withoutStatistics(files: Dataset[_]): Dataset[AddFile] =
    files.withColumn("stats", lit(null).cast(StringType)).as[AddFile]

  def sorted(files: Iterable[AddFile]): Vector[AddFile] =
    files.map(file => (file.modificationTime, UTF8String.fromString(file.path), file)).toVector.sortBy {
      case (time, path, _) => (time, path)
    }(Ordering.Tuple2(Ordering.Long, bytewise)).map(_._3)

  /** Not `compareTo`, which Spark forbids where it runs its own tests (`spark.testing`). */
  private val bytewise: Ordering[UTF8String] = (one, other) => one.binaryCompare(other)
}
