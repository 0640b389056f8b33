// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.snapshot

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

  /** Sorts the files on the driver. */
  def sorted(files: Iterable[AddFile]): Vector[AddFile] =
    files.map(file => (file.modificationTime, UTF8String.fromString(file.path), file)).toVector.sortBy {
      case (time, path, _) => (time, path)
    }(Ordering.Tuple2(Ordering.Long, bytewise)).map(_._3)

  /** Avoids `UTF8String.compareTo`, which Spark forbids in its own tests (`spark.testing`). */
  private val bytewise: Ordering[UTF8String] = (left, right) => left.binaryCompare(right)
}
