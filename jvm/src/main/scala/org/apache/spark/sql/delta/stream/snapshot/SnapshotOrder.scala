// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.snapshot

import java.util.Arrays

import org.apache.spark.sql.Column
import org.apache.spark.sql.functions.col
import org.apache.spark.unsafe.types.UTF8String

import org.apache.spark.sql.delta.actions.AddFile

/**
 * The order of the files of an initial snapshot: by modification time, then by path, compared as unsigned
 * UTF-8 bytes. A streaming checkpoint stores only an index in this order. The order is therefore a format and
 * never changes.
 */
private[snapshot] object SnapshotOrder {

  /** The columns to sort by on the executors: Spark compares strings as unsigned UTF-8 bytes. */
  val columns: Seq[Column] = Seq(col("modificationTime"), col("path"))

  /** Sorts the files on the driver, on all processors. */
  def sorted(files: Iterable[AddFile]): Vector[AddFile] = {
    val keyed = files.iterator.map { file =>
      Keyed(file.modificationTime, UTF8String.fromString(file.path), file)
    }.toArray
    Arrays.parallelSort(keyed, byTimeAndPath)
    keyed.iterator.map(_.file).toVector
  }

  private final case class Keyed(time: Long, path: UTF8String, file: AddFile)

  /** Avoids `UTF8String.compareTo`, which Spark forbids in its own tests (`spark.testing`). */
  private val byTimeAndPath: Ordering[Keyed] = (left, right) => {
    val byTime = java.lang.Long.compare(left.time, right.time)
    if (byTime != 0) byTime else left.path.binaryCompare(right.path)
  }
}
