// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.files

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.Expression

import org.apache.spark.sql.delta.Snapshot
import org.apache.spark.sql.delta.sources.IndexedFile
import org.apache.spark.sql.delta.stream.conf.StreamConf
import org.apache.spark.sql.delta.stream.scan.PartitionFilter
import org.apache.spark.sql.delta.stream.snapshot.LazySnapshotFiles

/**
 * The initial snapshot of a stream, under its documented name.
 *
 * @param filters     partition predicates on what [[iterator]] returns; the file indexes count all files
 * @param maxFilesOnDriver see [[LazySnapshotFiles]]
 */
class DeltaSourceSnapshot(
    val spark: SparkSession,
    val snapshot: Snapshot,
    val filters: Seq[Expression],
    maxFilesOnDriver: Long
) extends LazySnapshotFiles(spark, snapshot, maxFilesOnDriver)
    with SnapshotIterator {

  def this(spark: SparkSession, snapshot: Snapshot, filters: Seq[Expression]) =
    this(spark, snapshot, filters, StreamConf.defaultMaxFilesOnDriver)

  private lazy val accepts = PartitionFilter(spark, snapshot.metadata.partitionSchema, filters)

  override def iterator(): Iterator[IndexedFile] =
    from(0).zipWithIndex.collect { case (file, i) if accepts(file) => IndexedFile(version, i.toLong, file) }
}
