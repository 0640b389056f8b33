// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.snapshot

import org.apache.spark.sql.Dataset

import org.apache.spark.sql.delta.actions.AddFile

/** An index in the driver's memory: reading costs no job. */
final class DriverIndex private (sorted: Vector[AddFile]) extends SnapshotIndex {
  override def size: Long = sorted.size.toLong
  override def from(index: Long): Iterator[AddFile] =
    if (index >= sorted.size) Iterator.empty else sorted.iterator.drop(index.toInt)
  override def close(): Unit = ()
}

object DriverIndex {
  def of(files: Iterable[AddFile]): DriverIndex = new DriverIndex(SnapshotIndex.sorted(files))

  def collect(files: Dataset[AddFile]): DriverIndex = of(files.collect())
}
