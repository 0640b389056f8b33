// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.streaming.OutputMode

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.DeltaOptions

/** Where the user wants the rows of a query, and how. */
final case class Target(
    catalogTable: Option[CatalogTable],
    partitionColumns: Seq[String],
    outputMode: OutputMode,
    options: DeltaOptions
) {

  /** Whether a batch takes the place of all rows. */
  val replaces: Boolean = outputMode == OutputMode.Complete

  /** By the option, or by a conf of the session as it is when the query is made. */
  val mergesSchema: Boolean = options.canMergeSchema

  val overwritesSchema: Boolean = replaces && options.canOverwriteSchema

  /**
   * The last batch that the query's checkpoint has planned, -1 for none. None if the location of the checkpoint was not
   * given as an option of the writer.
   */
  def lastPlannedBatch(): Option[Long] =
    options.options.get("checkpointLocation").map { checkpoint =>
      val offsets = new Path(checkpoint, "offsets")
      val fileSystem = offsets.getFileSystem(SparkSession.active.sessionState.newHadoopConf())
      val files = if (fileSystem.exists(offsets)) fileSystem.listStatus(offsets).toSeq else Nil
      files.flatMap(_.getPath.getName.toLongOption).maxOption.getOrElse(-1L)
    }
}
