// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.Row
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.streaming.Trigger

import org.apache.spark.sql.delta.testing.{JobCount, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** A table that follows a stream of events, on a real session. What decides is tested as values. */
class DeltaSinkApplyChangesSuite extends AnyFunSuite with ApplyChangesFixture {

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
      again("numRowsInserted") == "0" && again("numEventsStored") == "0" && again("numEventsIgnored") == "2")
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

  for ((isAdaptive, files) <- Seq("true" -> 1, "false" -> 2))
    test(s"groups of an aggregation are written as $files files, adaptive execution: $isAdaptive") {
      val table = TestTable()
      val rows = new Rows
      rows.add(16)
      withConf("spark.sql.adaptive.enabled" -> isAdaptive) {
        rows.frame
          .groupBy("id").count()
          .writeStream.format("delta").outputMode("update")
          .option("applyChanges.keys", "id")
          .option("checkpointLocation", table.checkpointFolder())
          .trigger(Trigger.AvailableNow).start(table.path).awaitTermination()
      }
      assert(table.log.update().numOfFiles == files)
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

  test("a change feed with a sequence needs a condition for deletes") {
    val changes = new Changes(TestTable())
    val _ = changes(upsert(1, "a", 5))
    val feed = changes.frame.withColumnRenamed("seq", "_commit_version")
    val settings = Seq("applyChanges.keys" -> "id", "applyChanges.sequenceBy" -> "_commit_version")
    val failure = intercept[Exception](write(feed, TestTable(), checkpoint = "of-a-feed")(settings: _*))
    assert(failure.getMessage.contains("sequenceBy must be left out for a change feed"), failure.getMessage)
    write(feed, TestTable(), checkpoint = "with-deletes")(
      settings :+ ("applyChanges.applyAsDeletes" -> "op = 'D'"): _*)
  }

  test("a target that was written with other settings is refused") {
    val table = TestTable().create(columns, clause = vectors)
    new Changes(table).apply(upsert(1, "a", 5))
    val found = condition(table, "keys" -> "id, name")(upsert(1, "b", 6))
    assert(found == "DELTASOURCE_OTHER_APPLY_CHANGES")
  }
}
