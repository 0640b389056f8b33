// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.snapshot

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.{Dataset, SparkSession}
import org.apache.spark.storage.StorageLevel

import org.apache.spark.sql.delta.actions.AddFile
import org.apache.spark.sql.delta.stream.plan.FileSlices

/**
 * An index that stays on the executors: sorted and persisted once, with the number of files before each partition
 * known to the driver, which fetches slice by slice what a batch takes.
 */
final class ExecutorIndex private (spark: SparkSession, sorted: RDD[AddFile], starts: Vector[Long])
    extends SnapshotIndex {

  private val slices = new FileSlices(starts.last)(fetch)

  override def size: Long = slices.size

  override def from(index: Long): Iterator[AddFile] = slices.from(index)

  private def fetch(first: Long): Array[AddFile] = {
    val partition = starts.lastIndexWhere(_ <= first)
    val skip = (first - starts(partition)).toInt
    spark.sparkContext.runJob(sorted, ExecutorIndex.take(skip), Seq(partition)).head
  }

  override def close(): Unit = {
    slices.forget()
    val _ = sorted.unpersist()
  }
}

object ExecutorIndex {
  private val sliceFiles = 10000

  /**
   * A slice is read from the beginning of its partition, so partitions are about as large as slices.
   *
   * @param count how many files there are
   */
  def sort(spark: SparkSession, files: Dataset[AddFile], count: Long): ExecutorIndex = {
    // Spark orders strings as unsigned UTF-8 bytes, as the order of an initial snapshot does.
    val order = Seq(col("modificationTime"), col("path"))
    val partitions = (count / sliceFiles + 1).toInt
    val ranged = files.repartitionByRange(partitions, order: _*).sortWithinPartitions(order: _*)
    val sorted = ranged.rdd.persist(StorageLevel.MEMORY_AND_DISK_SER)
    val counts = spark.sparkContext.runJob(sorted, (files: Iterator[AddFile]) => files.size.toLong)
    new ExecutorIndex(spark, sorted, counts.scanLeft(0L)(_ + _).toVector)
  }

  /** In the companion, so that the closure captures a number and no index. */
  private def take(skip: Int): Iterator[AddFile] => Array[AddFile] =
    files => files.slice(skip, skip + sliceFiles).toArray
}
