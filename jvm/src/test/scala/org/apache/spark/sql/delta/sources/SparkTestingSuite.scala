// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.streaming.Trigger

import org.apache.spark.sql.delta.testing.{SinkFixture, SourceFixture, TestTable}
import org.scalatest.BeforeAndAfterAll
import org.scalatest.funsuite.AnyFunSuite

/** M17: Spark's own test harness sets `spark.testing`, which makes some of Spark's internal methods fail. */
class SparkTestingSuite extends AnyFunSuite with SourceFixture with SinkFixture with BeforeAndAfterAll {
  private val flag = "spark.testing"

  override def beforeAll(): Unit = {
    super.beforeAll()
    val _ = System.setProperty(flag, "true")
  }

  override def afterAll(): Unit = {
    System.clearProperty(flag)
    super.afterAll()
  }

  /** Six rows in files with the same modification time. */
  private def table(properties: String = ""): TestTable = {
    val t = TestTable().create("id LONG", properties).append(1L to 6L, files = 3)
    val files = t.log.update().allFiles.collect().toSeq
    val again = files.flatMap { file =>
      Seq(file.remove.copy(dataChange = false).json, file.copy(modificationTime = 1, dataChange = false).json)
    }
    t.writeCommit(2, again: _*)
  }

  test("M17: an initial snapshot and the commits after it are streamed") {
    val t = table().append(Seq(7, 8))
    val source = sourceOf(t, "maxFilesPerTrigger" -> "2")
    assert(batches(source).flatMap(_._1).sorted == (1L to 8L))
  }

  test("M17: a change feed is streamed") {
    val t =
      table("TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true', 'delta.enableDeletionVectors' = 'true')")
    t.sql(s"DELETE FROM ${t.name} WHERE id = 3")
    val source = sourceOf(t, "readChangeFeed" -> "true", "startingVersion" -> "1")
    assert(rows(source.getBatch(None, latest(source))) == Seq(1, 2, 3, 3, 4, 5, 6))
  }

  test("M17: a stream from one table into another") {
    val (from, to) = (table(), TestTable().create())
    val query = spark.readStream.format("delta").load(from.path).writeStream.format("delta")
      .option("checkpointLocation", to.checkpointFolder()).trigger(Trigger.AvailableNow()).start(to.path)
    query.awaitTermination()
    assert(ids(to) == (1L to 6L))
  }
}
