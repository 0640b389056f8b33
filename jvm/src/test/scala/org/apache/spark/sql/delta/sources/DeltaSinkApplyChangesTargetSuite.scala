// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.Row
import org.apache.spark.sql.streaming.{StreamingQueryException, Trigger}

import org.apache.spark.sql.delta.testing.TestTable
import org.scalatest.funsuite.AnyFunSuite

/** What the target of a stream of events may be, and what others may do to it meanwhile. */
class DeltaSinkApplyChangesTargetSuite extends AnyFunSuite with ApplyChangesFixture {

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

  test("W16: a query that appends to a target of apply_changes is refused until the table has no keys") {
    val table = TestTable().create(columns)
    val changes = new Changes(table)
    changes(upsert(1, "a", 5))
    changes(upsert(1, "b", 6))
    val source = TestTable().create(columns)
    source.sql(s"INSERT INTO ${source.name} VALUES (1, 'c', 7)")
    val failure = intercept[StreamingQueryException](appending(source, table))
    assert(failure.getMessage.contains("[DELTASOURCE_OTHER_APPLY_CHANGES] "), failure.getMessage)
    assert(failure.getMessage.contains(table.path), failure.getMessage)
    assert(rowsOf(table).size == 1)
    table.sql(s"ALTER TABLE ${table.name} UNSET TBLPROPERTIES ('deltasource.applyChanges.keys')")
    appending(source, table)
    assert(rowsOf(table).size == 2)
  }

  private def appending(source: TestTable, target: TestTable): Unit =
    spark.readStream.format("delta").option("maxFilesPerTrigger", 1).load(source.path).writeStream
      .format("delta")
      .option("checkpointLocation", source.checkpointFolder())
      .option("mergeSchema", true)
      .trigger(Trigger.AvailableNow)
      .start(target.path)
      .awaitTermination()

  test("another type is refused by its name, although the columns differ, too") {
    val table = TestTable()
    new Changes(table, "exceptColumnList" -> "op, seq").apply(upsert(1, "a", 5))
    val history = Seq("exceptColumnList" -> "op, seq", "storedAsScdType" -> "2")
    assert(condition(table, history: _*)(upsert(1, "b", 6)) == "DELTASOURCE_OTHER_APPLY_CHANGES")
  }

  test("a table that exists gets the columns that are ours, and any event replaces its rows") {
    val table = TestTable().create("id INT, name STRING", clause = vectors)
    table.sql(s"INSERT INTO ${table.name} VALUES (1, 'old'), (2, 'old')")
    new Changes(table, "exceptColumnList" -> "op, seq").apply(upsert(1, "new", 0))
    assert(rowsOf(table) == Seq(Row(1, "new", 0L), Row(2, "old", null)))
  }

  test("a row that was there before any event begins the history of its key") {
    val table = TestTable().create("id INT, name STRING", clause = vectors)
    table.sql(s"INSERT INTO ${table.name} VALUES (1, 'old'), (2, 'old'), (3, 'old')")
    val history = Seq("exceptColumnList" -> "op, seq", "storedAsScdType" -> "2")
    new Changes(table, history: _*).apply(upsert(1, "new", 5), upsert(2, "old", 5), delete(3, 5))
    // The second event changed nothing; this late one shows that it was not forgotten.
    new Changes(table, history: _*).apply(delete(2, 3))
    val expected = Seq(
      Row(1, "new", 5L, null),
      Row(1, "old", null, 5L),
      Row(2, "old", 5L, null),
      Row(2, "old", null, 3L),
      Row(3, "old", null, 5L))
    assert(rowsOf(table).sortBy(_.toString) == expected.sortBy(_.toString))
  }

  test("a column that the events do not have keeps its values in the rows that are there") {
    val mapped = feed.replace("(", "('delta.columnMapping.mode'='name', ")
    val table = TestTable().create("id INT, name STRING, note STRING", clause = mapped)
    table.sql(s"INSERT INTO ${table.name} VALUES (1, 'a', 'x'), (2, 'b', 'y'), (3, 'c', 'z')")
    val history = Seq("exceptColumnList" -> "op, seq", "storedAsScdType" -> "2")
    val first = new Changes(table, history: _*)
    first.apply(upsert(1, "new", 5), upsert(2, "b", 5), delete(3, 5))
    val expected = Seq(
      Row(1, "a", "x", null, 5L),
      Row(1, "new", null, 5L, null),
      // The event changed nothing, so its row is the same.
      Row(2, "b", "y", null, null),
      Row(3, "c", "z", null, 5L)
    )
    assert(rowsOf(table).sortBy(_.toString) == expected.sortBy(_.toString))
    // The same events from the start are no ties.
    new Changes(table, history: _*).apply(upsert(1, "new", 5), upsert(2, "b", 5), delete(3, 5))
    assert(rowsOf(table).sortBy(_.toString) == expected.sortBy(_.toString))
    // The row is written again, with what it had before the event that continued it.
    first.apply(delete(2, 9))
    assert(rowsOf(table).contains(Row(2, "b", "y", null, 9L)))
  }

  test("a column of the events that is not kept is not written into a column of the target") {
    val table = TestTable().create("id INT, name STRING, op STRING", clause = vectors)
    new Changes(table, "exceptColumnList" -> "op, seq").apply(upsert(1, "a", 5))
    assert(rowsOf(table) == Seq(Row(1, "a", null, 5L)))
  }

  for {
    (scdType, expected) <- Seq(
      "1" -> Seq(Row(1, "new", 6L), Row(3, "c", 5L)),
      "2" -> Seq(
        Row(1, "a", 5L, 6L),
        Row(1, "new", 6L, null),
        Row(2, "b", 5L, 6L),
        Row(3, "c", 5L, null)
      )
    )
  } test(s"a target of type $scdType may have column mapping, deletion vectors and clustering together") {
    val mapped = vectors.replace("(", "('delta.columnMapping.mode'='name', ")
    val table = TestTable().create("id INT, first STRING", clause = s"CLUSTER BY (id) $mapped")
    table.sql(s"ALTER TABLE ${table.name} RENAME COLUMN first TO name")
    val changes = new Changes(table, "exceptColumnList" -> "op, seq", "storedAsScdType" -> scdType)
    changes(upsert(1, "a", 5), upsert(2, "b", 5), upsert(3, "c", 5))
    changes(upsert(1, "new", 6), delete(2, 6))
    assert(rowsOf(table).sortBy(_.toString) == expected.sortBy(_.toString))
  }

  test("a generated column of the target is computed") {
    val table = TestTable().create("id INT, name STRING, twice INT GENERATED ALWAYS AS (id * 2)")
    new Changes(table, "exceptColumnList" -> "op, seq").apply(upsert(1, "a", 5), upsert(2, "b", 5))
    new Changes(table, "exceptColumnList" -> "op, seq").apply(upsert(1, "c", 6))
    assert(rowsOf(table) == Seq(Row(1, "c", 2, 6L), Row(2, "b", 4, 5L)))
  }

  test("rows of one key that were there before any event contradict each other, and are replaced") {
    val table = TestTable().create("id INT, name STRING", clause = vectors)
    table.sql(s"INSERT INTO ${table.name} VALUES (1, 'one'), (1, 'other')")
    new Changes(table, "exceptColumnList" -> "op, seq", "storedAsScdType" -> "2").apply(upsert(1, "new", 5))
    assert(rowsOf(table) == Seq(Row(1, "new", 5L, null)))
  }

  test("where nulls are ignored, a row that was there before any event keeps its values") {
    val table = TestTable().create("id INT, name STRING", clause = vectors)
    table.sql(s"INSERT INTO ${table.name} VALUES (1, 'old'), (2, 'old')")
    val filling =
      Seq("exceptColumnList" -> "op, seq", "ignoreNullUpdates" -> "true", "tombstones" -> "0 seconds")
    new Changes(table, filling: _*).apply("""{"id":1,"op":"U","seq":5}""", """{"id":2,"op":"U","seq":5}""")
    assert(rowsOf(table) == Seq(Row(1, "old", 5L), Row(2, "old", 5L)))
    new Changes(table, filling: _*).apply(delete(2, 6))
    new Changes(table, filling: _*).apply("""{"id":1,"op":"U","seq":7}""", """{"id":2,"op":"U","seq":7}""")
    assert(rowsOf(table) == Seq(Row(1, "old", 7L), Row(2, null, 7L)))
  }

  test("a folder with files of another format is refused") {
    val table = TestTable()
    spark.range(3).write.parquet(table.path)
    assert(condition(table)(upsert(1, "a", 5)) == "DELTASOURCE_INVALID_APPLY_CHANGES")
    assert(spark.read.parquet(table.path).count() == 3)
  }
}
