// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.files

import java.util.concurrent.atomic.AtomicReference

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.Expression

import org.apache.spark.sql.delta.actions.AddFile
import org.apache.spark.sql.delta.sources.IndexedFile
import org.apache.spark.sql.delta.stream.PartitionPredicate
import org.apache.spark.sql.delta.stream.log.SnapshotFiles
import org.apache.spark.sql.delta.stream.snapshot.SnapshotIndex
import org.apache.spark.sql.delta.{DeltaConfigs, Snapshot}

/**
 * The initial snapshot of a stream: the files of one table version, numbered by modification time and path. Sorted
 * once, at the first use; from then on any index is reached without walking to it.
 *
 * @param filters     partition predicates on what [[iterator]] shows; the numbering counts all files
 * @param driverFiles up to this many files the index is kept on the driver, beyond it on the executors
 */
class DeltaSourceSnapshot(
    val spark: SparkSession,
    val snapshot: Snapshot,
    val filters: Seq[Expression],
    driverFiles: Long
) extends SnapshotIterator
    with SnapshotFiles {

  def this(spark: SparkSession, snapshot: Snapshot, filters: Seq[Expression]) =
    this(spark, snapshot, filters, SnapshotIndex.defaultDriverFiles)

  private val opened = new AtomicReference(Option.empty[SnapshotIndex])
  private lazy val accepts = PartitionPredicate(spark, snapshot.metadata.partitionSchema, filters)

  override val version: Long = snapshot.version

  override def inCommitTimestamp: Option[Long] =
    Option.when(DeltaConfigs.IN_COMMIT_TIMESTAMPS_ENABLED.fromMetaData(snapshot.metadata))(snapshot.timestamp)

  override def fileTime: Option[Long] = Some(snapshot.logSegment.lastCommitFileModificationTimestamp)

  override def counted: Option[Long] = opened.get.map(_.size)

  override def size: Long = index().size

  override def from(first: Long): Iterator[AddFile] = index().from(first)

  override def iterator(): Iterator[IndexedFile] =
    from(0).zipWithIndex.collect { case (file, i) if accepts(file) => IndexedFile(version, i.toLong, file) }

  override def close(unpersistSnapshot: Boolean): Unit = {
    opened.getAndSet(None).foreach(_.close())
    if (unpersistSnapshot) snapshot.uncache()
  }

  private def index(): SnapshotIndex = opened.get.getOrElse {
    val index = SnapshotIndex.of(spark, snapshot, driverFiles)
    opened.set(Some(index))
    index
  }
}
