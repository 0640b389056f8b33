// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.nio.file.{Files, Path}

import org.apache.spark.sql.execution.streaming.runtime.StreamExecution
import org.apache.spark.sql.streaming.{OutputMode, StreamingQueryException, Trigger}

import org.apache.commons.io.FileUtils
import org.apache.spark.sql.delta.DeltaLog
import org.apache.spark.sql.delta.stream.sink.TableSink
import org.apache.spark.sql.delta.testing.{CountingFileSystem, JobCount, LogCapture, SinkFixture, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** What a batch costs, and what it reports. */
class DeltaSinkSuite extends AnyFunSuite with SinkFixture {

  test("a batch is one job, lists nothing, and does not build the table's state") {
    val table = TestTable().create()
    withConf(CountingFileSystem.confs: _*) {
      val rows = new Rows
      val query = start(rows.frame, table, trigger = Trigger.ProcessingTime(0))()
      try {
        def batch() = {
          rows.add(1)
          query.processAllAvailable()
        }
        batch()
        for (_ <- 1 to 3) {
          assert(CountingFileSystem.listings(assert(JobCount.of(spark)(batch()) == 1)) == 0)
          assert(!table.log.unsafeVolatileSnapshot.stateReconstructionTriggered)
        }
      } finally query.stop()
    }
    assert(rowsOf(table).size == 4)
  }

  test("without SetTransactions in checksum files, the state is built for the first batch of a run only") {
    val table =
      TestTable().create(clause = "TBLPROPERTIES ('delta.setTransactionRetentionDuration'='interval 1 day')")
    val rows = new Rows
    for (run <- 0 to 1) {
      val query = start(rows.frame, table, trigger = Trigger.ProcessingTime(0))()
      try
        for (batch <- 0 to 3) {
          rows.add(1)
          val jobs = JobCount.of(spark)(query.processAllAvailable())
          if (batch > 0) assert(jobs == 1, s"in batch $batch of run $run")
        }
      finally query.stop()
    }
    assert(rowsOf(table).size == 8)
  }

  test("a table with a transaction retention is warned about once per run") {
    val table =
      TestTable().create(clause = "TBLPROPERTIES ('delta.setTransactionRetentionDuration'='interval 1 day')")
    val rows = new Rows
    val logged = LogCapture.of(classOf[TableSink].getName) {
      rows.add(1)
      write(rows.frame, table)()
    }
    val warning = s"${table.path} drops its record of committed batches after 86400000 ms"
    assert(logged.count(_.contains(warning)) == 1)
  }

  test("W15: a query that continues in another table is refused, or warned about once per run") {
    val retention = "TBLPROPERTIES ('delta.setTransactionRetentionDuration'='interval 1 day')"
    val (first, second, third) =
      (TestTable().create(), TestTable().create(), TestTable().create(clause = retention))
    val rows = new Rows
    def run(target: TestTable): Unit = {
      val query = rows.frame.writeStream
        .format("delta")
        .option("checkpointLocation", first.checkpointFolder())
        .trigger(Trigger.AvailableNow)
        .start(target.path)
      query.awaitTermination()
    }
    def warningsOf(target: TestTable): Int = {
      val warning = "which has no earlier batch of it"
      val logged = LogCapture.of(classOf[TableSink].getName) {
        rows.add(1)
        run(target)
      }
      logged.count(line => line.contains(warning) && line.contains(target.path))
    }
    assert(Seq(first, first).map(warningsOf) == Seq(0, 0))
    rows.add(1)
    val refused = intercept[StreamingQueryException](run(second)).getMessage
    assert(refused.contains(s"[DELTASOURCE_OTHER_TARGET] Batch 2 was not written to"))
    assert(second.version == 0)
    withConf("spark.deltasource.sink.failOnOtherTarget" -> "false") {
      assert(warningsOf(second) == 1)
    }
    assert(warningsOf(second) == 0)
    // It may have dropped the record of the earlier batches.
    assert(warningsOf(third) == 1)
  }

  test("W15: a target that was restored from an older copy lacks the latest batches") {
    val table = TestTable().create()
    val folder = Path.of(table.path).toFile
    val copy = Files.createTempDirectory("copy").resolve("table").toFile
    val rows = new Rows
    def run() = write(rows.frame, table)()
    for (batch <- 0 to 2) {
      rows.add(1)
      run()
      if (batch == 0) FileUtils.copyDirectory(folder, copy)
    }
    FileUtils.deleteDirectory(folder)
    FileUtils.copyDirectory(copy, folder)
    DeltaLog.clearCache()
    rows.add(1)
    val refused = intercept[StreamingQueryException](run()).getMessage
    assert(refused.contains("[DELTASOURCE_OTHER_TARGET] Batch 3 was not written to"), refused)
    assert(refused.contains("this table has them only up to batch 0"), refused)
    withConf("spark.deltasource.sink.failOnOtherTarget" -> "false")(run())
    rows.add(1)
    run()
    assert(spark.read.format("delta").load(table.path).count() == 3)
  }

  test("W15: a target that is deleted while the query runs is not created again without its rows") {
    withConf("spark.deltasource.log.listInterval" -> "0") {
      val table = TestTable().create()
      val rows = new Rows
      val query = rows.frame.writeStream.format("delta")
        .option("checkpointLocation", table.checkpointFolder()).start(table.path)
      try {
        rows.add(1)
        query.processAllAvailable()
        FileUtils.deleteDirectory(Path.of(table.path).toFile)
        rows.add(1)
        val refused = intercept[StreamingQueryException](query.processAllAvailable()).getMessage
        assert(refused.contains("[DELTASOURCE_OTHER_TARGET] Batch 1 was not written to"), refused)
      } finally query.stop()
      assert(!Files.exists(Path.of(table.path, "_delta_log", f"${0}%020d.json")))
    }
  }

  test("the result of a batch is reported once, also if it was skipped") {
    val table = TestTable().create()
    val rows = new Rows
    rows.add(3)
    val written = write(rows.frame, table)()
    assert(written.map(sinkMetrics(_) - "numOutputBytes") == Seq(
      Map(
        "batchSkipped" -> "false",
        "version" -> "1",
        "numAddedFiles" -> "1",
        "numRemovedFiles" -> "0",
        "numOutputRows" -> "3")))
    val size =
      Files.walk(Path.of(table.path)).filter(_.toString.endsWith(".parquet")).mapToLong(Files.size(_)).sum
    assert(written.map(sinkMetrics(_)("numOutputBytes")) == Seq(size.toString))
    removeFromCommitLog(table, 0)
    val query = written.head.id
    val logged = LogCapture.of(classOf[TableSink].getName) {
      assert(write(rows.frame, table)().map(sinkMetrics) == Seq(Map("batchSkipped" -> "true")))
    }
    val warning = s"batch 0 of query $query is skipped: ${table.log.dataPath} already contains it"
    assert(logged.count(_.endsWith(warning)) == 1)
    assert(table.version == 1)
  }

  test("a trigger without a batch reports nothing, and opens nothing") {
    val options = Map("path" -> TestTable().path)
    val created = new DeltaDataSource().createSink(spark.sqlContext, options, Nil, OutputMode.Append)
    val sink = created.asInstanceOf[DeltaSink]
    val opened = withConf(CountingFileSystem.confs: _*)(CountingFileSystem.of(assert(sink.metrics().isEmpty)))
    assert(opened == 0)
    spark.sparkContext.setLocalProperty(StreamExecution.QUERY_ID_KEY, "a query")
    try sink.addBatch(0, spark.range(3).toDF())
    finally spark.sparkContext.setLocalProperty(StreamExecution.QUERY_ID_KEY, null)
    assert(sink.metrics().get("numOutputRows") == "3")
    assert(sink.metrics().isEmpty)
  }

  test("a table registered in a catalog is written by name") {
    val table = TestTable().create("id LONG, twice LONG GENERATED ALWAYS AS (id * 2)")
    spark.sql(s"CREATE TABLE by_name USING delta LOCATION '${table.path}'")
    val rows = new Rows
    try
      for (_ <- 0 to 1) {
        rows.add(2)
        assert(
          writeByName(rows.frame, "by_name", table).flatMap(sinkMetrics(_).get("numOutputRows")) == Seq("2"))
      }
    finally { val _ = spark.sql("DROP TABLE by_name") }
    assert(rowsOf(table).map(_.toString) == Seq("[0,0]", "[1,2]", "[2,4]", "[3,6]"))
  }

  test("each row is written although Spark reuses row objects: sorted by partition, or shuffled first") {
    val source = TestTable().create().append(0L to 99L, files = 2)
    for (shuffled <- Seq("false", "true")) {
      val table = TestTable().create("id LONG, p LONG", "PARTITIONED BY (p)")
      val rows = spark.readStream.format("delta").load(source.path).selectExpr("id", "id % 3 AS p")
      val _ = write(rows, table)("optimizeWrite" -> shuffled)
      assert(ids(table) == (0L to 99L), s"optimizeWrite $shuffled")
    }
  }

  test("rows are counted and the watermark advances if rows are cast and columns generated") {
    val table = TestTable().create("id INT, twice INT GENERATED ALWAYS AS (id * 2)")
    val rows = new Rows
    val timed = rows.frame
      .selectExpr("id", "timestamp_seconds(id) AS t")
      .withWatermark("t", "0 seconds")
      .drop("t")
    rows.add(5)
    val first = write(timed, table)()
    rows.add(5)
    val second = write(timed, table)()
    assert((first ++ second).filter(_.numInputRows > 0).map(_.numInputRows) == Seq(5, 5))
    assert(second.last.eventTime.get("watermark") == "1970-01-01T00:00:04.000Z")
    assert(spark.sql(s"SELECT sum(id), sum(twice) FROM ${table.name}").head().toString == "[45,90]")
  }
}
