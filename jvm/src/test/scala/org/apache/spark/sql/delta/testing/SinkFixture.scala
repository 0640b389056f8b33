// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.testing

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{Dataset, Row}
import org.apache.spark.sql.streaming.{StreamingQuery, StreamingQueryProgress, Trigger}

/** Streams of small batches into a table. */
trait SinkFixture extends SharedSession {

  /** A query of these rows into that table, under AvailableNow, over and over with the same checkpoint. */
  protected def write(
      rows: Dataset[_],
      table: TestTable,
      mode: String = "append",
      checkpoint: String = "checkpoint",
      trigger: Trigger = Trigger.AvailableNow)(options: (String, String)*): Seq[StreamingQueryProgress] =
    ended(start(rows, table, mode, checkpoint, trigger)(options: _*))

  protected def start(
      rows: Dataset[_],
      table: TestTable,
      mode: String = "append",
      checkpoint: String = "checkpoint",
      trigger: Trigger)(options: (String, String)*): StreamingQuery =
    rows.writeStream
      .format("delta")
      .outputMode(mode)
      .options(options.toMap)
      .option("checkpointLocation", table.checkpointFolder(checkpoint))
      .trigger(trigger)
      .start(table.path)

  private def ended(query: StreamingQuery): Seq[StreamingQueryProgress] = {
    try query.awaitTermination()
    finally query.stop()
    query.recentProgress.toSeq
  }

  /** The engine has not noted that this batch is done. */
  protected def forget(table: TestTable, batch: Long, checkpoint: String = "checkpoint"): Unit =
    Seq(s"$batch", s".$batch.crc").foreach { name =>
      Files.deleteIfExists(Path.of(table.checkpointFolder(checkpoint), "commits", name))
    }

  /** What the sink told with that batch. */
  protected def told(progress: StreamingQueryProgress): Map[String, String] =
    progress.sink.metrics.asScala.toMap

  protected def rowsOf(table: TestTable): Seq[Row] =
    spark.read.format("delta").load(table.path).collect().toSeq.sortBy(_.toString)
}
