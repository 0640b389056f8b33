// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.classic.ClassicConversions.castToImpl
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.execution.streaming.runtime.IncrementalExecution

/**
 * What the engine hands over.
 *
 * @param composed when the engine put the batch together, in milliseconds since 1970; one that is handed over again
 *                 after a failure still has the time of then. None if it was not the engine
 * @param ends     whether the engine says that the run ends by itself, as with AvailableNow
 */
final case class Batch(id: Long, data: DataFrame, composed: Option[Long], ends: Boolean) {

  def execution: QueryExecution = castToImpl(data).queryExecution

  def spark: SparkSession = execution.sparkSession

  /**
   * The rows as a frame that is no stream, as foreachBatch gives it: the plan that runs is the one the engine has
   * made, so that its counts and watermark are told, whatever is put on top of it.
   */
  def rows: DataFrame = spark.internalCreateDataFrame(execution.toRdd, data.schema)
}

object Batch {

  def of(id: Long, data: DataFrame): Batch = castToImpl(data).queryExecution match {
    case streaming: IncrementalExecution =>
      Batch(id, data, Some(streaming.offsetSeqMetadata.batchTimestampMs), streaming.isTerminatingTrigger)
    case _ => Batch(id, data, None, ends = false)
  }
}
