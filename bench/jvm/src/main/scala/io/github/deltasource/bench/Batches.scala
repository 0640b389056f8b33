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
 *   what the last collection before its end left in the driver's memory
 */
final case class Batch(
    latestOffset: Long,
    getBatch: Long,
    planning: Long,
    commit: Long,
    heapBytes: Long = 0)

/** A source, asked as the engine asks it: `latestOffset`, `getBatch`, the physical plan, `commit`. */
final class Batches(
    spark: SparkSession,
    options: java.util.Map[String, String],
    checkpoint: String,
    now: Boolean) {
  private type Asked = Source with SupportsAdmissionControl

  private val source: Asked =
    DataSource(spark, className = "delta", options = options.asScala.toMap).createSource(checkpoint) match {
      case asked: Source with SupportsAdmissionControl => asked
      case other => sys.error(s"$other takes no limits")
    }

  source match {
    case bounded: SupportsTriggerAvailableNow if now => bounded.prepareForTriggerAvailableNow()
    case _ => ()
  }

  private val limit: ReadLimit = source.getDefaultReadLimit

  // Where the last batch ended.
  private var end: Option[Offset] = None

  /** The next batch; None if there is nothing new. */
  def next(): Option[Batch] = {
    val started = System.nanoTime
    val latest = Option(source.latestOffset(end.orNull, limit)).collect { case offset: Offset => offset }
    val offered = System.nanoTime
    latest.filter(offset => !end.exists(_.json == offset.json)).map { offset =>
      val batch = planned(end, offset)
      val before = System.nanoTime
      // The engine commits a batch when it plans the next one.
      source.commit(offset)
      end = Some(offset)
      batch.copy(latestOffset = offered - started, commit = System.nanoTime - before)
    }
  }

  /** A batch that was planned before a restart, from the first file of the stream to an offset. */
  def replay(last: String): Batch = {
    val offset = SerializedOffset(last)
    val batch = planned(None, offset)
    end = Some(offset)
    batch
  }

  private def planned(from: Option[Offset], to: Offset): Batch = {
    val asked = System.nanoTime
    val frame = source.getBatch(from, to)
    val framed = System.nanoTime
    frame.queryExecution.executedPlan
    Batch(latestOffset = 0, framed - asked, System.nanoTime - framed, commit = 0)
  }

  /** Where the last batch ended, as JSON; empty before the first. */
  def ended: String = end.fold("")(_.json)

  /** Asks once for something new; answers the nanoseconds it took. */
  def poll(): Long = {
    val started = System.nanoTime
    source.latestOffset(end.orNull, limit)
    System.nanoTime - started
  }

  def stop(): Unit = source.stop()
}
