// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.io.IOException
import java.nio.file.{Files, Path, StandardCopyOption}
import java.util.concurrent.FutureTask
import java.util.concurrent.atomic.AtomicReference

import scala.jdk.CollectionConverters._

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.udf
import org.apache.spark.sql.streaming.{OutputMode, StreamingQueryException}

import org.apache.hadoop.fs.FileAlreadyExistsException
import org.apache.spark.sql.delta.actions.SetTransaction
import org.apache.spark.sql.delta.stream.sink.{Batch, TableSink, Target}
import org.apache.spark.sql.delta.testing.FaultyFileSystem._
import org.apache.spark.sql.delta.testing.{FaultyFileSystem, SinkFixture, TestTable}
import org.apache.spark.sql.delta.{DeltaOperations, DeltaOptions}
import org.scalatest.funsuite.AnyFunSuite

/** A batch is in the table once, whatever goes wrong (docs/design/0014-sink.md). */
class DeltaSinkOnceSuite extends AnyFunSuite with SinkFixture {
  import DeltaSinkOnceSuite._

  private def failure(run: => Any): Throwable = intercept[StreamingQueryException](run).getCause

  private def condition(run: => Any): String = failure(run) match {
    case known: SparkThrowable => known.getCondition
    case other => fail(other)
  }

  /** As another process would. */
  private def commit(table: TestTable, marker: SetTransaction): Unit = {
    val _ = table.log.startTransaction(None).commit(Seq(marker), DeltaOperations.ManualUpdate)
  }

  private def copied(table: TestTable, from: String, to: String): Unit = {
    val source = Path.of(table.checkpointFolder(from))
    for (file <- Files.walk(source).iterator.asScala.toVector) {
      val target = Path.of(table.checkpointFolder(to)).resolve(source.relativize(file).toString)
      if (Files.isDirectory(file)) Files.createDirectories(target)
      else Files.copy(file, target, StandardCopyOption.REPLACE_EXISTING)
    }
  }

  /** Of the frame, with something done by the first task that meets a row. */
  private def meanwhile(frame: DataFrame)(action: => Any): DataFrame = {
    waiting.set(Some(() => action))
    val pass = udf { (id: Long) =>
      waiting.getAndSet(None).foreach(apart)
      id
    }
    frame.select(pass(frame("id")).as("id"))
  }

  test("a batch that the engine has not noted is skipped, and its rows are there once") {
    val table = TestTable().create()
    val rows = new Rows
    rows.add(2)
    write(rows.frame, table)()
    rows.add(2)
    write(rows.frame, table)()
    forget(table, 1)
    write(rows.frame, table)()
    rows.add(1)
    write(rows.frame, table)()
    assert(ids(table) == (0 to 4))
    assert(table.version == 3)
  }

  test("a batch that is handed over again is skipped before its schema is looked at") {
    val table = TestTable().create()
    val rows = new Rows
    rows.add(1)
    val more = rows.frame.selectExpr("id", "id AS more")
    write(more, table)("mergeSchema" -> "true")
    forget(table, 0)
    write(more, table)("mergeSchema" -> "false")
    table.sql(s"ALTER TABLE ${table.name} SET TBLPROPERTIES ('delta.columnMapping.mode' = 'name')")
    table.sql(s"ALTER TABLE ${table.name} DROP COLUMN more")
    forget(table, 0)
    write(more, table)()
    assert(ids(table) == Seq(0))
  }

  test("W2: a second run on a copy of the checkpoint fails, instead of losing its batch") {
    val table = TestTable().create()
    val (one, other) = (new Rows, new Rows)
    Seq(one, other).foreach(_.add(1))
    write(one.frame, table)()
    copied(table, "checkpoint", "copy")
    one.add(1)
    write(one.frame, table)()
    other.add(2)
    def late() = write(other.frame.selectExpr("id + 10 AS id"), table, checkpoint = "copy")()
    assert(condition(late()) == "DELTASOURCE_OTHER_RUN")
    assert(ids(table) == Seq(0, 1))
    withConf("spark.deltasource.sink.refuseOtherRuns" -> "false")(late())
    assert(ids(table) == Seq(0, 1))
  }

  test("another run that writes the same batch at the same time is a conflict") {
    val table = TestTable().create()
    val rows = new Rows
    rows.add(1)
    val query = write(rows.frame, table)().head.id.toString
    rows.add(1)
    val slow = meanwhile(rows.frame)(commit(table, SetTransaction(query, 1, None)))
    assert(condition(write(slow, table)()).startsWith("DELTA_CONCURRENT_TRANSACTION"))
    assert(ids(table) == Seq(0))
  }

  test("a batch that a run has put together itself is not what another one has written since") {
    val table = TestTable().create()
    val options = new DeltaOptions(Map.empty[String, String], spark.sessionState.conf)
    val sink = new TableSink("query", table.log, Target(None, Nil, OutputMode.Append, options))
    val composed = System.currentTimeMillis()
    commit(table, SetTransaction("query", 0, Some(composed + 1)))
    def add(composed: Long): Unit = sink.add(Batch(0, spark.range(3).toDF(), Some(composed), ends = false))
    val refused = intercept[SparkThrowable](add(composed))
    assert(refused.getCondition == "DELTASOURCE_OTHER_RUN")
    // As one that is handed over again, put together by a run before.
    add(composed - 60000)
    assert(sink.report() == Map("batchSkipped" -> "true"))
    assert(table.version == 1)
  }

  test("a run that finds a batch of another one behind its own fails") {
    val table = TestTable().create()
    val rows = new Rows
    val query = start(rows.frame, table)()
    try {
      rows.add(1)
      query.processAllAvailable()
      // Nothing tells when it was written.
      commit(table, SetTransaction(query.id.toString, 1, None))
      rows.add(1)
      assert(condition(query.processAllAvailable()) == "DELTASOURCE_OTHER_RUN")
    } finally query.stop()
    assert(ids(table) == Seq(0))
  }

  test("a commit whose answer is lost is the batch's own") {
    val table = TestTable().create()
    val rows = new Rows
    rows.add(2)
    val written = withConf(FaultyFileSystem.confs: _*) {
      // What a store says whose client asks twice.
      val asked = new FileAlreadyExistsException("asked twice")
      failing(AfterRename, "0000001.json", asked)(write(rows.frame, table)())
    }
    assert(written.map(told(_)("version")) == Seq("1"))
    rows.add(1)
    write(rows.frame, table)()
    assert(ids(table) == (0 to 2))
    assert(table.version == 2)
  }

  test("a commit after which the batch fails is not repeated") {
    val table = TestTable().create()
    val rows = new Rows
    rows.add(2)
    withConf(FaultyFileSystem.confs: _*) {
      failing(
        AfterRename,
        "0000001.json",
        new IOException("the answer is lost"))(failure(write(rows.frame, table)()))
    }
    assert(write(rows.frame, table)().map(told) == Seq(Map("batchSkipped" -> "true")))
    assert(ids(table) == Seq(0, 1))
  }

  for {
    (moment, file) <- Seq(
      InWrite -> ".snappy.parquet",
      InClose -> ".snappy.parquet",
      InWrite -> "0000002.json",
      BeforeRename -> "0000002.json")
  } test(s"$moment of $file: the batch fails, and is exact when it is run again") {
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
  } test(s"$other in between is no conflict") {
    val table = TestTable().create().append(Seq(50)).append(Seq(51))
    val rows = new Rows
    rows.add(2)
    write(rows.frame, table)()
    rows.add(2)
    val _ = write(meanwhile(rows.frame)(table.sql(statement.replace("{}", table.name))), table)()
    val expected = other match {
      case "an append" => Seq(0, 1, 2, 3, 50, 51, 100)
      case "a delete" => Seq(1, 2, 3, 50, 51)
      case _ => Seq(0, 1, 2, 3, 50, 51)
    }
    assert(ids(table) == expected)
  }

  test("a change of the schema in between is a conflict, and the batch is exact when it is run again") {
    val table = TestTable().create()
    val rows = new Rows
    rows.add(2)
    def altering = meanwhile(rows.frame)(table.sql(s"ALTER TABLE ${table.name} ADD COLUMN more STRING"))
    assert(condition(write(altering, table)()).startsWith("DELTA_METADATA_CHANGED"))
    write(rows.frame, table)()
    assert(ids(table) == Seq(0, 1))
  }

  test("a table that was made anew between two batches of a run gets the rest") {
    val table = TestTable().create()
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
    assert(ids(table) == Seq(1))
  }
}

object DeltaSinkOnceSuite {

  /** Spark takes a task's own thread for that of an executor. */
  private def apart(action: () => Any): Unit = {
    val done = new FutureTask[Any](() => action())
    new Thread(done).start()
    val _ = done.get()
  }

  /** A task is run by the process of the test, which is where it finds this. */
  private val waiting = new AtomicReference(Option.empty[() => Any])
}
