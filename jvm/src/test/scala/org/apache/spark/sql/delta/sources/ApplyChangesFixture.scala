// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.classic.{SparkSession => ClassicSession}
import org.apache.spark.sql.functions.{col, from_json}
import org.apache.spark.sql.streaming.StreamingQueryProgress
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.{DataFrame, Encoders}

import org.apache.spark.sql.delta.testing.{MemoryStreams, TestTable}
import org.scalatest.TestSuite

/** Streams of events that change tables by their keys. */
trait ApplyChangesFixture extends DeltaSinkOnceFixture { this: TestSuite =>

  protected val vectors: String = "TBLPROPERTIES ('delta.enableDeletionVectors'='true')"
  protected val feed: String =
    "TBLPROPERTIES ('delta.enableDeletionVectors'='true', 'delta.enableChangeDataFeed'='true')"
  protected val columns: String = "id INT, name STRING, seq LONG"

  protected val options: Seq[(String, String)] =
    Seq("keys" -> "id", "sequenceBy" -> "seq", "applyAsDeletes" -> "op = 'D'", "exceptColumnList" -> "op")

  private val numbers = Iterator.from(0)

  /** Events as JSON, by a query of its own into a table. */
  protected final class Changes(table: TestTable, others: (String, String)*) {
    val checkpoint: String = s"checkpoint-${numbers.next()}"
    private val stream = MemoryStreams.create(spark.asInstanceOf[ClassicSession], Encoders.STRING)
    private val schema = StructType.fromDDL("id INT, name STRING, op STRING, seq LONG")
    private val settings = (options ++ others).map { case (name, value) => s"applyChanges.$name" -> value }
    val frame: DataFrame = stream.toDF().select(from_json(col("value"), schema).as("e")).select("e.*")

    def apply(events: String*): Seq[StreamingQueryProgress] = {
      val _ = stream.addData(events)
      run()
    }

    /** Applies the events of one batch, during which others write to the target. */
    def during(action: => Any)(events: String*): StreamingQueryProgress = {
      val _ = stream.addData(events)
      write(duringBatch(frame)(action), table, checkpoint = checkpoint)(settings: _*).last
    }

    def run(): Seq[StreamingQueryProgress] = write(frame, table, checkpoint = checkpoint)(settings: _*)

    def metrics(events: String*): Map[String, String] = sinkMetrics(apply(events: _*).last)
  }

  protected def upsert(id: Int, name: String, seq: Long): String =
    s"""{"id":$id,"name":"$name","op":"U","seq":$seq}"""
  protected def delete(id: Int, seq: Long): String = s"""{"id":$id,"op":"D","seq":$seq}"""

  protected def condition(table: TestTable, others: (String, String)*)(events: String*): String = {
    val failure = intercept[Exception](new Changes(table, others: _*).apply(events: _*))
    "DELTA[A-Z_]+".r.findFirstIn(failure.getMessage).getOrElse(failure.getMessage)
  }
}
