// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.classic.{SparkSession => ClassicSession}
import org.apache.spark.sql.functions.{col, from_json}
import org.apache.spark.sql.streaming.{StreamingQueryProgress, Trigger}
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.{DataFrame, Encoders, Row}

import org.apache.spark.sql.delta.testing.{JobCount, MemoryStreams, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** A table that follows a stream of events, on a real session. What decides is tested as values. */
class DeltaSinkApplyChangesSuite extends AnyFunSuite with DeltaSinkOnceFixture {

  private val vectors = "TBLPROPERTIES ('delta.enableDeletionVectors'='true')"
  private val feed =
    "TBLPROPERTIES ('delta.enableDeletionVectors'='true', 'delta.enableChangeDataFeed'='true')"
  private val columns = "id INT, name STRING, seq LONG"

  private val options =
    Seq("keys" -> "id", "sequenceBy" -> "seq", "applyAsDeletes" -> "op = 'D'", "exceptColumnList" -> "op")

  private val numbers = Iterator.from(0)

  /** Events as JSON, by a query of its own into a table. */
  private final class Changes(table: TestTable, others: (String, String)*) {
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

  private def upsert(id: Int, name: String, seq: Long) = s"""{"id":$id,"name":"$name","op":"U","seq":$seq}"""
  private def delete(id: Int, seq: Long) = s"""{"id":$id,"op":"D","seq":$seq}"""

  private def condition(table: TestTable, others: (String, String)*)(events: String*): String = {
    val failure = intercept[Exception](new Changes(table, others: _*).apply(events: _*))
    "DELTA[A-Z_]+".r.findFirstIn(failure.getMessage).getOrElse(failure.getMessage)
  }

  for ((name, clause) <- Seq("deletion vectors" -> vectors, "rewritten files" -> ""))
    test(s"a table follows its events, whatever order they arrive in: $name") {
      val table = TestTable().create(columns, clause = clause)
      val changes = new Changes(table)
      changes(upsert(1, "a", 5), upsert(2, "b", 5), upsert(3, "c", 5))
      changes(upsert(1, "a2", 7), delete(2, 6), upsert(3, "late", 4))
      changes(upsert(2, "late", 5), upsert(4, "d", 1))
      assert(rowsOf(table) == Seq(Row(1, "a2", 7L), Row(3, "c", 5L), Row(4, "d", 1L)))
    }

  test("a target that does not exist is created with the columns that are kept") {
    val table = TestTable()
    new Changes(table).apply(upsert(1, "a", 5))
    assert(rowsOf(table) == Seq(Row(1, "a", 5L)))
  }

  test("a sequence that is not kept has a column of its own") {
    val table = TestTable()
    new Changes(table, "exceptColumnList" -> "op, seq").apply(upsert(1, "a", 5))
    assert(rowsOf(table) == Seq(Row(1, "a", 5L)))
    assert(spark.read.format("delta").load(table.path).columns.toSeq == Seq("id", "name", "__SEQUENCE"))
  }

  test("type 2 keeps the history of a key, and a late event cuts a row") {
    val table = TestTable()
    val changes = new Changes(table, "storedAsScdType" -> "2", "exceptColumnList" -> "op, seq")
    changes(upsert(1, "Alice", 5), upsert(1, "Alice", 10), upsert(1, "Alice", 15))
    changes(upsert(1, "Bob", 12))
    assert(rowsOf(table) == Seq(
      Row(1, "Alice", 15L, null),
      Row(1, "Alice", 5L, 12L),
      Row(1, "Bob", 12L, 15L)))
  }

  test("the change feed of the target shows what changed, and nothing else") {
    val table = TestTable().create(columns, clause = feed)
    val changes = new Changes(table)
    changes(upsert(1, "a", 5), upsert(2, "b", 5), upsert(3, "c", 5))
    changes(upsert(1, "a2", 7), delete(2, 6), upsert(3, "late", 4))
    val shown = spark.read.format("delta").option(
      "readChangeFeed",
      "true").option("startingVersion", 2).load(table.path)
    assert(shown.select("_change_type", "id", "name").collect().map(_.toString).toSeq.sorted == Seq(
      "[delete,2,b]",
      "[update_postimage,1,a2]",
      "[update_preimage,1,a]"))
  }

  test("only files whose keys meet the batch are read, in eight jobs at most and one commit") {
    val table = TestTable().create(columns, clause = vectors)
    val changes = new Changes(table)
    (0 until 5).foreach(part => changes((0 until 4).map(i => upsert(10 * part + i, "a", 1)): _*))
    var metrics = Map.empty[String, String]
    val jobs = JobCount.of(spark) { metrics = changes.metrics(upsert(21, "b", 2), upsert(23, "b", 2)) }
    assert(metrics("numFilesRead") == "1" && metrics("numFilesPruned") == "4")
    assert(metrics("numRowsUpdated") == "2" && metrics("numFilesChanged") == "1")
    assert(table.version == 6)
    assert(jobs <= 8, s"$jobs jobs")
  }

  test("a batch that is passed again, and events of a new checkpoint, change nothing") {
    val table = TestTable().create(columns, clause = vectors)
    val changes = new Changes(table)
    changes(upsert(1, "a", 5), delete(2, 5))
    removeFromCommitLog(table, 0, changes.checkpoint)
    changes.run()
    assert(table.version == 1)
    val again = new Changes(table).metrics(upsert(1, "a", 5), delete(2, 5))
    assert(
      again("numRowsInserted") == "0" && again("numEventsStored") == "0" && again("numEventsIgnored") == "1")
  }

  test(
    "a state that is ahead of its target, because the process died between the two commits, is caught up with") {
    val table = TestTable().create(columns, clause = vectors)
    val changes = new Changes(table)
    changes(upsert(1, "a", 5), upsert(2, "b", 5))
    changes(delete(1, 6), upsert(2, "b2", 6))
    val expected = rowsOf(table)
    spark.sql(s"RESTORE delta.`${table.path}` TO VERSION AS OF 1")
    new Changes(table).apply(upsert(2, "b2", 6), upsert(1, "late", 4))
    assert(rowsOf(table) == expected)
  }

  for {
    (clause, kind) <- Seq(vectors -> "deletion vectors", "" -> "rewritten files")
    (statement, kept) <- Seq(
      "UPDATE {} SET name = 'by hand' WHERE id = 1" -> Row(1, "by hand", 5L),
      "OPTIMIZE {}" -> Row(1, "a", 5L),
      "ALTER TABLE {} ADD COLUMN more STRING" -> Row(1, "a", 5L)
    )
  } test(s"a batch is applied again on top of a commit of others: ${statement.replace("{}", "t")}, $kind") {
    val table = TestTable().create(columns, clause = clause)
    val changes = new Changes(table)
    changes(upsert(1, "a", 5), upsert(2, "b", 5))
    changes(upsert(3, "c", 5))
    val progress =
      changes.during(table.sql(statement.replace("{}", table.name)))(upsert(2, "b2", 6), delete(3, 6))
    assert(rowsOf(table).map(row => Row.fromSeq(row.toSeq.take(3))) == Seq(kept, Row(2, "b2", 6L)))
    assert(progress.numInputRows == 2 && sinkMetrics(progress)("numEventsStored") == "0")
    changes(upsert(3, "late", 5))
    assert(rowsOf(table).size == 2)
  }

  test("deletes that are forgotten in a batch that fails are known to be forgotten") {
    val table = TestTable().create(columns, clause = vectors)
    val forgetting = Seq("tombstones" -> "0 seconds")
    new Changes(table, forgetting: _*).apply(delete(1, 6))
    val failed = condition(table, forgetting: _*)(upsert(2, "a", 7), upsert(2, "b", 7))
    assert(failed == "DELTASOURCE_AMBIGUOUS_SEQUENCE")
    val metrics = new Changes(table, "tombstones" -> "forever").metrics(upsert(1, "late", 5))
    assert(metrics("numLateAfterTombstones") == "1")
  }

  test("values from before a delete that is forgotten do not come back where nulls are ignored") {
    val table = TestTable().create(columns, clause = vectors)
    val filling = Seq("ignoreNullUpdates" -> "true", "tombstones" -> "0 seconds")
    new Changes(table, filling: _*).apply(upsert(1, "before", 5), upsert(2, "b", 5))
    new Changes(table, filling: _*).apply("""{"id":1,"op":"U","seq":6}""")
    new Changes(table, filling: _*).apply(delete(1, 10))
    new Changes(table, filling: _*).apply(upsert(2, "b2", 11))
    new Changes(table, filling: _*).apply("""{"id":1,"op":"U","seq":20}""")
    assert(rowsOf(table) == Seq(Row(1, null, 20L), Row(2, "b2", 11L)))
  }

  test("old deletes are forgotten, and what may come too late is counted") {
    val table = TestTable().create(columns, clause = vectors)
    new Changes(table, "tombstones" -> "0 seconds").apply(delete(1, 6))
    val metrics =
      new Changes(table, "tombstones" -> "0 seconds").metrics(upsert(1, "late", 5), upsert(2, "b", 7))
    assert(metrics("numRowsInserted") == "2" && metrics("numLateAfterTombstones") == "1")
  }

  test("an aggregation in update mode is an upsert of its groups") {
    val table = TestTable()
    val rows = new Rows
    def run() = {
      rows.add(3)
      val query = rows.frame
        .groupBy((col("id") % 2).as("odd")).count()
        .writeStream.format("delta").outputMode("update")
        .option("applyChanges.keys", "odd")
        .option("checkpointLocation", table.checkpointFolder())
        .trigger(Trigger.AvailableNow).start(table.path)
      query.awaitTermination()
    }
    run()
    run()
    val counts =
      spark.read.format("delta").load(table.path).select("odd", "count").collect().map(_.toString).sorted
    assert(counts.toSeq == Seq("[0,3]", "[1,3]"))
  }

  test("an event without a key fails its batch") {
    assert(condition(TestTable())("""{"name":"a","op":"U","seq":1}""") == "DELTASOURCE_NULL_KEY")
  }

  test("an event without a sequence fails its batch") {
    assert(condition(TestTable())("""{"id":1,"name":"a","op":"U"}""") == "DELTASOURCE_NULL_SEQUENCE")
  }

  test("two events with one sequence and other content fail their batch, also if one is in the target") {
    val table = TestTable().create(columns, clause = vectors)
    assert(condition(table)(upsert(1, "a", 5), upsert(1, "b", 5)) == "DELTASOURCE_AMBIGUOUS_SEQUENCE")
    val other = TestTable().create(columns, clause = vectors)
    val changes = new Changes(other)
    changes(upsert(1, "a", 5))
    changes(upsert(1, "a", 5))
    val failure = intercept[Exception](changes(upsert(1, "b", 5)))
    assert(failure.getMessage.contains("(id=1, name=a, seq=5) and (id=1, name=b, seq=5)"))
  }

  test("columns that are not there, and types that are no keys, are reported together") {
    val table = TestTable()
    val failure = intercept[Exception] {
      new Changes(
        table,
        "keys" -> "nope",
        "sequenceBy" -> "never",
        "applyAsDeletes" -> "op").apply(upsert(1, "a", 5))
    }
    val mistakes = Seq("no column nope", "no column never", "applyAsDeletes must be a condition")
    assert(mistakes.forall(failure.getMessage.contains), failure.getMessage)
    assert(failure.getMessage.contains("DELTASOURCE_INVALID_APPLY_CHANGES"))
  }

  test("a target that was written with other settings is refused") {
    val table = TestTable().create(columns, clause = vectors)
    new Changes(table).apply(upsert(1, "a", 5))
    val found = condition(table, "keys" -> "id, name")(upsert(1, "b", 6))
    assert(found == "DELTASOURCE_OTHER_APPLY_CHANGES")
  }

  test("another type is refused by its name, although the columns differ, too") {
    val table = TestTable()
    new Changes(table, "exceptColumnList" -> "op, seq").apply(upsert(1, "a", 5))
    val history = Seq("exceptColumnList" -> "op, seq", "storedAsScdType" -> "2")
    assert(condition(table, history: _*)(upsert(1, "b", 6)) == "DELTASOURCE_OTHER_APPLY_CHANGES")
  }

  test("a table that exists gets the columns that are ours, and its rows lose to any event") {
    val table = TestTable().create("id INT, name STRING", clause = vectors)
    table.sql(s"INSERT INTO ${table.name} VALUES (1, 'old'), (2, 'old')")
    new Changes(table, "exceptColumnList" -> "op, seq").apply(upsert(1, "new", 0))
    assert(rowsOf(table) == Seq(Row(1, "new", 0L), Row(2, "old", null)))
  }

  test("a folder with files of another format is refused") {
    val table = TestTable()
    spark.range(3).write.parquet(table.path)
    assert(condition(table)(upsert(1, "a", 5)) == "DELTASOURCE_INVALID_APPLY_CHANGES")
    assert(spark.read.parquet(table.path).count() == 3)
  }
}
