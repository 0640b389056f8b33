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

  /** Sorts the files on the driver, on all processors. This is faster if most of them are in order already. */
  def sorted(files: Iterable[AddFile]): Vector[AddFile] = {
    val keyed = files.iterator.map(new Keyed(_)).toArray
    Arrays.parallelSort(keyed, byTimeAndPath)
    keyed.iterator.map(_.file).toVector
  }

  /** The path is converted only for files with equal times. */
  private final class Keyed(val file: AddFile) {
    lazy val path: UTF8String = UTF8String.fromString(file.path)
  }

  /** Avoids `UTF8String.compareTo`, which Spark forbids in its own tests (`spark.testing`). */
  private val byTimeAndPath: Ordering[Keyed] = (left, right) => {
    val byTime = java.lang.Long.compare(left.file.modificationTime, right.file.modificationTime)
    if (byTime != 0) byTime else left.path.binaryCompare(right.path)
  }
}
