// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.snapshot

import java.util.concurrent.atomic.AtomicReference

import org.apache.spark.sql.SparkSession

import org.apache.spark.sql.delta.actions.AddFile
import org.apache.spark.sql.delta.stream.log.SnapshotFiles
import org.apache.spark.sql.delta.{DeltaConfigs, Snapshot}

/**
 * The files of one table version, numbered in [[SnapshotOrder]].
 * They are sorted once, at first use; after that, reading may begin at any index at no extra cost.
 *
 * @param maxFilesOnDriver up to this many files the index is kept on the driver, above it on the executors
 */
private[delta] class LazySnapshotFiles(spark: SparkSession, snapshot: Snapshot, maxFilesOnDriver: Long)
    extends SnapshotFiles {

  private val openedIndex = new AtomicReference(Option.empty[SnapshotIndex])

  override val version: Long = snapshot.version

  override def inCommitTimestamp: Option[Long] =
    Option.when(DeltaConfigs.IN_COMMIT_TIMESTAMPS_ENABLED.fromMetaData(snapshot.metadata))(snapshot.timestamp)

  override def commitFileTime: Option[Long] = Some(snapshot.logSegment.lastCommitFileModificationTimestamp)

  override def knownSize: Option[Long] = openedIndex.get.map(_.size)

  override def size: Long = index().size

  override def from(first: Long): Iterator[AddFile] = index().from(first)

  override def close(unpersistSnapshot: Boolean): Unit = {
    openedIndex.getAndSet(None).foreach(_.close())
    if (unpersistSnapshot) snapshot.uncache()
  }

  private def index(): SnapshotIndex = openedIndex.get.getOrElse {
    val index = SnapshotIndex.of(spark, snapshot, maxFilesOnDriver)
    openedIndex.set(Some(index))
    index
  }
}
