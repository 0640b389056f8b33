// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.snapshot

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.functions.lit
import org.apache.spark.sql.types.StringType
import org.apache.spark.sql.{Dataset, SparkSession}
import org.apache.spark.storage.StorageLevel

import org.apache.spark.sql.delta.Snapshot
import org.apache.spark.sql.delta.actions.AddFile
import org.apache.spark.sql.delta.implicits._
import org.apache.spark.sql.delta.stream.log.parse.SlicedFileList
import org.apache.spark.sql.delta.stream.model.FileList

/** The files of a table version, numbered in [[SnapshotOrder]]. */
private[snapshot] trait SnapshotIndex extends FileList with AutoCloseable {

  override def from(index: Long): Iterator[AddFile]

  /** Releases what is held. May be called twice. */
  override def close(): Unit
}

private[snapshot] object SnapshotIndex {

  /**
   * Returns a [[DriverIndex]] if the version has up to `maxFilesOnDriver` files, or else an [[ExecutorIndex]].
   * Fails with Delta's error if the log cannot be read.
   */
  def of(spark: SparkSession, snapshot: Snapshot, maxFilesOnDriver: Long): SnapshotIndex =
    replayed(spark, snapshot, maxFilesOnDriver).getOrElse {
      if (snapshot.numOfFiles <= maxFilesOnDriver) DriverIndex.collect(files(snapshot))
      else ExecutorIndex.sort(spark, files(snapshot), snapshot.numOfFiles)
    }

  private def replayed(spark: SparkSession, snapshot: Snapshot, maxFiles: Long): Option[SnapshotIndex] =
    Option.when(maxFiles > 0)(new LogReplay(
      spark,
      snapshot.deltaLog,
      maxFiles)).flatMap(_.files(snapshot)).map(DriverIndex.of)

  private def files(snapshot: Snapshot): Dataset[AddFile] =
    withoutStatistics(if (PathDeduplicatedFiles.isNeeded(snapshot)) PathDeduplicatedFiles.files(snapshot)
    else snapshot.allFiles)

  /** Drops the statistics: a stream does not use them, and they are most of the bytes. */
  private[snapshot] def withoutStatistics(files: Dataset[_]): Dataset[AddFile] =
    files.withColumn("stats", lit(null).cast(StringType)).as[AddFile]
}

/** An index in the driver's memory: reading it runs no job. */
private[snapshot] final class DriverIndex private (sorted: Vector[AddFile]) extends SnapshotIndex {
  override def size: Long = sorted.size.toLong
  override def from(index: Long): Iterator[AddFile] =
    if (index >= sorted.size) Iterator.empty else sorted.iterator.drop(index.toInt)
  override def close(): Unit = ()
}

private[snapshot] object DriverIndex {

  /** Sorts the files. */
  def of(files: Iterable[AddFile]): DriverIndex = new DriverIndex(SnapshotOrder.sorted(files))

  /** Collects the files to the driver by one job, and sorts them there. */
  def collect(files: Dataset[AddFile]): DriverIndex = of(files.collect())
}

/**
 * An index that stays on the executors, sorted and persisted once. The driver fetches the files of a batch
 * slice by slice, each by one job.
 *
 * @param starts the number of files before each partition, followed by the number of all files
 */
private[snapshot] final class ExecutorIndex private (
    spark: SparkSession,
    sorted: RDD[AddFile],
    starts: Vector[Long])
    extends SnapshotIndex {

  private val slices = new SlicedFileList(starts.last)(fetch)

  override def size: Long = slices.size

  override def from(index: Long): Iterator[AddFile] = slices.from(index)

  private def fetch(first: Long): Array[AddFile] = {
    val partition = starts.lastIndexWhere(_ <= first)
    val skip = (first - starts(partition)).toInt
    spark.sparkContext.runJob(sorted, ExecutorIndex.takeSlice(skip), Seq(partition)).head
  }

  override def close(): Unit = {
    slices.releaseSlice()
    val _ = sorted.unpersist()
  }
}

private[snapshot] object ExecutorIndex {
  private val sliceFiles = 10000

  /**
   * Sorts and persists the files. A slice is read from the beginning of its partition, so partitions are made
   * about as large as slices.
   *
   * @param count the number of files; it only sets the number of partitions
   */
  def sort(spark: SparkSession, files: Dataset[AddFile], count: Long): ExecutorIndex = {
    val partitions = (count / sliceFiles + 1).toInt
    val ranged = files.repartitionByRange(
      partitions,
      SnapshotOrder.columns: _*).sortWithinPartitions(SnapshotOrder.columns: _*)
    val sorted = ranged.rdd.persist(StorageLevel.MEMORY_AND_DISK_SER)
    val counts = spark.sparkContext.runJob(sorted, (files: Iterator[AddFile]) => files.size.toLong)
    new ExecutorIndex(spark, sorted, counts.scanLeft(0L)(_ + _).toVector)
  }

  /** In the companion, so that the closure captures the number and not the ExecutorIndex. */
  private def takeSlice(skip: Int): Iterator[AddFile] => Array[AddFile] =
    files => files.slice(skip, skip + sliceFiles).toArray
}
