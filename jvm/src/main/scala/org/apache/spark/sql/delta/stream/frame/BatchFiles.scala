// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.frame

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.Expression

import org.apache.spark.sql.delta.actions.AddFile
import org.apache.spark.sql.delta.files.TahoeBatchFileIndex
import org.apache.spark.sql.delta.{DeltaLog, SnapshotDescriptor}

/**
 * Delta's index of just these files. Delta's own filters them as a frame, which encodes and decodes every file each time
 * a plan asks, and a plan asks several times; but nearly always it asks for all of them.
 */
private[frame] final class BatchFiles(
    spark: SparkSession,
    files: Seq[AddFile],
    deltaLog: DeltaLog,
    table: SnapshotDescriptor
) extends TahoeBatchFileIndex(spark, "streaming", files, deltaLog, deltaLog.dataPath, table, false) {

  /** Like Delta's, by partitions alone: the files of a batch come without statistics. */
  override def matchingFiles(partitionFilters: Seq[Expression], dataFilters: Seq[Expression]): Seq[AddFile] =
    if (partitionFilters.isEmpty) addFiles else super.matchingFiles(partitionFilters, dataFilters)
}
