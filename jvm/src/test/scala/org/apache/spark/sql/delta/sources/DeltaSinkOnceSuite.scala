// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.io.IOException
import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.streaming.StreamingQueryException

import org.apache.hadoop.fs.FileAlreadyExistsException
import org.apache.spark.sql.delta.testing.FaultyFileSystem._
import org.apache.spark.sql.delta.testing.{FaultyFileSystem, TestTable}
import org.scalatest.funsuite.AnyFunSuite

class DeltaSinkOnceSuite extends AnyFunSuite with DeltaSinkOnceFixture {
  test("a batch that is missing from the commit log is skipped, and its rows are in the table once") {
    val table = TestTable().create()
    val rows = new Rows
    rows.add(2)
    write(rows.frame, table)()
    rows.add(2)
    write(rows.frame, table)()
    removeFromCommitLog(table, 1)
    write(rows.frame, table)()
    rows.add(1)
    write(rows.frame, table)()
    assert(ids(table) == (0 to 4))
    assert(table.version == 3)
  }

  test("a replayed batch is skipped before its schema is checked") {
    val table = TestTable().create()
    val rows = new Rows
    rows.add(1)
    val more = rows.frame.selectExpr("id", "id AS more")
    write(more, table)("mergeSchema" -> "true")
    removeFromCommitLog(table, 0)
    write(more, table)("mergeSchema" -> "false")
    table.sql(s"ALTER TABLE ${table.name} SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')")
    table.sql(s"ALTER TABLE ${table.name} DROP COLUMN more")
    removeFromCommitLog(table, 0)
    write(more, table)()
    assert(ids(table) == Seq(0))
  }

  test("a commit whose response is lost counts as the batch's own") {
    val table = TestTable().create()
    val rows = new Rows
    rows.add(2)
    val written = withConf(FaultyFileSystem.confs: _*) {
      // What a store reports if its client retries a request that has succeeded.
      val onRetry = new FileAlreadyExistsException("retried")
      failing(AfterRename, "0000001.json", onRetry)(write(rows.frame, table)())
    }
    assert(written.map(sinkMetrics(_)("version")) == Seq("1"))
    rows.add(1)
    write(rows.frame, table)()
    assert(ids(table) == (0 to 2))
    assert(table.version == 2)
  }

  test("a batch that fails after its commit is not committed again") {
    val table = TestTable().create()
    val rows = new Rows
    rows.add(2)
    withConf(FaultyFileSystem.confs: _*) {
      failing(
        AfterRename,
        "0000001.json",
        new IOException("the response is lost"))(failure(write(rows.frame, table)()))
    }
    assert(write(rows.frame, table)().map(sinkMetrics) == Seq(Map("batchSkipped" -> "true")))
    assert(ids(table) == Seq(0, 1))
  }

  for {
    (moment, file) <- Seq(
      InWrite -> ".snappy.parquet",
      InClose -> ".snappy.parquet",
      InWrite -> "0000002.json",
      BeforeRename -> "0000002.json")
  } test(s"$moment of $file: the batch fails, and its rerun writes each row once") {
    val table = TestTable().create()
    val rows = new Rows
    rows.add(2)
    write(rows.frame, table)()
    rows.add(2)
    withConf(FaultyFileSystem.confs: _*) {
      val full = new IOException("No space left on device")
      val thrown = failing(moment, file, full)(failure(write(rows.frame, table)()))
      val causes = Iterator.iterate(thrown)(_.getCause).takeWhile(_ != null).toSeq
      assert(causes.exists(cause => cause.isInstanceOf[IOException] && cause.getMessage.contains("No space")))
      val conditions = causes.collect { case e: SparkThrowable => e.getCondition }
      assert(conditions.contains("DELTASOURCE_BATCH_WRITE_FAILED"))
    }
    assert(ids(table) == Seq(0, 1))
    write(rows.frame, table)()
    assert(ids(table) == (0 to 3))
  }

  for {
    (other, statement) <- Seq(
      "an append" -> "INSERT INTO {} VALUES (100)",
      "a delete" -> "DELETE FROM {} WHERE id = 0",
      "OPTIMIZE" -> "OPTIMIZE {}")
  } test(s"$other during a batch is not a conflict") {
    val table = TestTable().create().append(Seq(50)).append(Seq(51))
    val rows = new Rows
    rows.add(2)
    write(rows.frame, table)()
    rows.add(2)
    val _ = write(duringBatch(rows.frame)(table.sql(statement.replace("{}", table.name))), table)()
    val expected = other match {
      case "an append" => Seq(0, 1, 2, 3, 50, 51, 100)
      case "a delete" => Seq(1, 2, 3, 50, 51)
      case _ => Seq(0, 1, 2, 3, 50, 51)
    }
    assert(ids(table) == expected)
  }

  test("a schema change during a batch is a conflict, and the rerun writes each row once") {
    val table = TestTable().create()
    val rows = new Rows
    rows.add(2)
    def altering = duringBatch(rows.frame)(table.sql(s"ALTER TABLE ${table.name} ADD COLUMN more STRING"))
    assert(condition(write(altering, table)()).startsWith("DELTA_METADATA_CHANGED"))
    write(rows.frame, table)()
    assert(ids(table) == Seq(0, 1))
  }

  test("a table recreated between two batches of a run is refused, or receives the later ones") {
    def replacing(table: TestTable): Unit = {
      val rows = new Rows
      val query = start(rows.frame, table)()
      try {
        rows.add(1)
        query.processAllAvailable()
        Files.walk(Path.of(table.path)).iterator.asScala.toVector.reverse.foreach(Files.delete)
        table.create()
        rows.add(1)
        query.processAllAvailable()
      } finally query.stop()
    }
    val (refused, filled) = (TestTable().create(), TestTable().create())
    val failure = intercept[StreamingQueryException](replacing(refused))
    assert(failure.getMessage.contains("[DELTASOURCE_OTHER_TARGET] "), failure.getMessage)
    assert(ids(refused).isEmpty)
    withConf("spark.deltasource.sink.failOnOtherTarget" -> "false")(replacing(filled))
    assert(ids(filled) == Seq(1))
  }
}
