// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package io.github.deltasource.bench

import scala.jdk.CollectionConverters.MapHasAsScala

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.connector.read.streaming.{
  ReadLimit,
  SupportsAdmissionControl,
  SupportsTriggerAvailableNow
}
import org.apache.spark.sql.execution.datasources.DataSource
import org.apache.spark.sql.execution.streaming.runtime.SerializedOffset
import org.apache.spark.sql.execution.streaming.{Offset, Source}

/**
 * How long each part of planning a batch took, in nanoseconds; nothing is executed.
 *
 * @param heapBytes
 *   the driver's heap after the last garbage collection before the batch's end
 */
final case class Batch(
    latestOffset: Long,
    getBatch: Long,
    planning: Long,
    commit: Long,
    heapBytes: Long = 0)

/** Makes the calls of Spark's streaming engine: `latestOffset`, `getBatch`, the physical plan, `commit`. */
final class Batches(
    spark: SparkSession,
    options: java.util.Map[String, String],
    checkpoint: String,
    now: Boolean) {
  private type LimitedSource = Source with SupportsAdmissionControl

  private val source: LimitedSource =
    DataSource(spark, className = "delta", options = options.asScala.toMap).createSource(checkpoint) match {
      case limited: Source with SupportsAdmissionControl => limited
      case other => sys.error(s"$other does not support admission control")
    }

  source match {
    case bounded: SupportsTriggerAvailableNow if now => bounded.prepareForTriggerAvailableNow()
    case _ => ()
  }

  private val limit: ReadLimit = source.getDefaultReadLimit

  // Where the last batch ended.
  private var end: Option[Offset] = None

  /** Plans the next batch. Returns None if there is nothing new. */
  def next(): Option[Batch] = {
    val started = System.nanoTime
    val latest = Option(source.latestOffset(end.orNull, limit)).collect { case offset: Offset => offset }
    val offered = System.nanoTime
    latest.filter(offset => !end.exists(_.json == offset.json)).map { offset =>
      val batch = planned(end, offset)
      val before = System.nanoTime
      // Spark commits a batch when it plans the next one.
      source.commit(offset)
      end = Some(offset)
      batch.copy(latestOffset = offered - started, commit = System.nanoTime - before)
    }
  }

  /** Replays a first batch that was planned before a restart and ends at this offset. */
  def replay(last: String): Batch = {
    val offset = SerializedOffset(last)
    val batch = planned(None, offset)
    end = Some(offset)
    batch
  }

  private def planned(from: Option[Offset], to: Offset): Batch = {
    val started = System.nanoTime
    val frame = source.getBatch(from, to)
    val framed = System.nanoTime
    frame.queryExecution.executedPlan
    Batch(latestOffset = 0, framed - started, System.nanoTime - framed, commit = 0)
  }

  /** The end offset of the last batch, as JSON; empty before the first batch. */
  def ended: String = end.fold("")(_.json)

  /** Calls `latestOffset` once, and returns the nanoseconds it took. */
  def poll(): Long = {
    val started = System.nanoTime
    source.latestOffset(end.orNull, limit)
    System.nanoTime - started
  }

  def stop(): Unit = source.stop()
}
