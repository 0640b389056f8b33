// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.classic.{SparkSession => ClassicSession}
import org.apache.spark.sql.streaming.{StreamingQuery, StreamingQueryProgress, Trigger}
import org.apache.spark.sql.{DataFrame, Dataset, Encoders, Row}

/** Streams of small batches into a table. */
trait SinkFixture extends SharedSession {

  /** A stream of distinct numbers in a column `id`. */
  protected final class Rows {
    private val stream = MemoryStreams.create(spark.asInstanceOf[ClassicSession], Encoders.scalaLong)
    private val ids = Iterator.from(0).map(_.toLong)

    val frame: DataFrame = stream.toDF().toDF("id")

    /** Adds this many numbers, as one batch. */
    def add(count: Int): Unit = {
      val _ = stream.addData(ids.take(count).toVector)
    }
  }

  /** Runs a query over the available rows to its end. Returns the progress of each batch. */
  protected def write(
      rows: Dataset[_],
      table: TestTable,
      trigger: Trigger = Trigger.AvailableNow,
      checkpoint: String = "checkpoint")(options: (String, String)*): Seq[StreamingQueryProgress] = {
    val query = start(rows, table, trigger, checkpoint)(options: _*)
    try query.awaitTermination()
    finally query.stop()
    query.recentProgress.toSeq
  }

  /** The same, into a table registered in the session's catalog under this name. */
  protected def writeByName(rows: Dataset[_], name: String, table: TestTable): Seq[StreamingQueryProgress] = {
    val query = rows.writeStream
      .format("delta")
      .option("checkpointLocation", table.checkpointFolder())
      .trigger(Trigger.AvailableNow)
      .toTable(name)
    query.awaitTermination()
    query.recentProgress.toSeq
  }

  protected def start(
      rows: Dataset[_],
      table: TestTable,
      trigger: Trigger = Trigger.ProcessingTime(0),
      checkpoint: String = "checkpoint")(options: (String, String)*): StreamingQuery =
    rows.writeStream
      .format("delta")
      .options(options.toMap)
      .option("checkpointLocation", table.checkpointFolder(checkpoint))
      .trigger(trigger)
      .start(table.path)

  /** Removes a batch from the checkpoint's commit log, as if the query had died before writing it. */
  protected def removeFromCommitLog(table: TestTable, batch: Long, checkpoint: String = "checkpoint"): Unit =
    Seq(s"$batch", s".$batch.crc").foreach { name =>
      Files.deleteIfExists(Path.of(table.checkpointFolder(checkpoint), "commits", name))
    }

  /** The metrics that the sink reported with a batch. */
  protected def sinkMetrics(progress: StreamingQueryProgress): Map[String, String] =
    progress.sink.metrics.asScala.toMap

  /** The sorted ids in the table. */
  protected def ids(table: TestTable): Seq[Long] =
    spark.sql(s"SELECT id FROM ${table.name} ORDER BY id").collect().toSeq.map(_.getLong(0))

  protected def rowsOf(table: TestTable): Seq[Row] =
    spark.read.format("delta").load(table.path).collect().toSeq.sortBy(_.toString)
}
