// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.classic.ClassicConversions.castToImpl
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.execution.streaming.AvailableNowTrigger
import org.apache.spark.sql.execution.streaming.runtime.IncrementalExecution

/**
 * A batch that the engine passes to the sink.
 *
 * @param batchTimestampMs when the engine planned the batch, in milliseconds since 1970. A batch that is
 *                         replayed after a failure keeps its first timestamp. None if the engine did not
 *                         plan the data
 * @param isTerminating    whether the run ends by itself, as with AvailableNow
 * @param cachedRows       the rows, if they are cached
 */
private[delta] final case class Batch(
    id: Long,
    data: DataFrame,
    batchTimestampMs: Option[Long],
    isTerminating: Boolean,
    private val cachedRows: Option[DataFrame] = None) {

  def execution: QueryExecution = castToImpl(data).queryExecution

  def spark: SparkSession = execution.sparkSession

  /** Returns the rows as a DataFrame that is not streaming, as `foreachBatch` does. */
  def rows: DataFrame = cachedRows.getOrElse(rowsOfPlan)

  /**
   * Executes the engine's own plan, so the query reports row counts and moves its watermark, whatever is put
   * on top.
   */
  private def rowsOfPlan: DataFrame = spark.internalCreateDataFrame(execution.toRdd, data.schema)

  /** Passes on the batch with its rows cached: the engine's plan is executed once, however often they are read. */
  def withCachedRows[A](use: Batch => A): A =
    Cached.using(rowsOfPlan)(stored => use(copy(cachedRows = Some(stored))))
}

private[delta] object Batch {

  /** Returns the batch with what the engine's plan says about it, if `data` has such a plan. */
  def of(id: Long, data: DataFrame): Batch = castToImpl(data).queryExecution match {
    case streaming: IncrementalExecution =>
      Batch(id, data, Some(streaming.offsetSeqMetadata.batchTimestampMs), isTerminating(streaming))
    case _ => Batch(id, data, None, isTerminating = false)
  }

  /** The plan knows its trigger only since Spark 4.1. */
  private def isTerminating(streaming: IncrementalExecution): Boolean =
    Option(streaming.sparkSession.sharedState.activeStreamingQueries.get(streaming.queryId))
      .exists(_.trigger == AvailableNowTrigger)
}
