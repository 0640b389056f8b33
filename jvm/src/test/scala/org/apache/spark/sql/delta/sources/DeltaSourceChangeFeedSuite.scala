// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.sql.Timestamp

import org.apache.spark.sql.execution.datasources.LogicalRelation
import org.apache.spark.sql.{DataFrame, Row}

import org.apache.spark.sql.delta.testing.{JobCount, SourceFixture, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** Change feeds of real tables, compared with Delta's batch reader of the same changes. */
class DeltaSourceChangeFeedSuite extends AnyFunSuite with SourceFixture {
  private val feed = Seq("readChangeFeed" -> "true")
  private val fromZero = feed :+ ("startingVersion" -> "0")

  private def tracked(vectors: Boolean = false, columns: String = "id LONG", clause: String = ""): TestTable =
    TestTable().create(
      columns,
      s"$clause TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true', 'delta.enableDeletionVectors' = '$vectors')"
    )

  private def changes(batch: DataFrame): Seq[Row] = {
    val names = Seq("id", "_change_type", "_commit_version", "_commit_timestamp")
    sorted(collect(batch.select(names.head, names.tail: _*)))
  }

  private def sorted(rows: Seq[Row]): Seq[Row] = rows.sortBy(row => (row.getLong(2), row.toString))

  private def allBatches(source: DeltaSource): Seq[Seq[Row]] = Iterator
    .unfold(Option.empty[DeltaSourceOffset]) { from =>
      Option(latest(source, from.orNull)).filterNot(from.contains).map { end =>
        (changes(source.getBatch(from, end)), Some(end))
      }
    }
    .toVector

  private def expected(t: TestTable, from: Long = 0): Seq[Row] = sorted(
    spark.read.format("delta").option("readChangeFeed", "true").option("startingVersion", from.toString)
      .load(t.path).select("id", "_change_type", "_commit_version", "_commit_timestamp").collect().toSeq
  )

  private def scans(batch: DataFrame): Int =
    batch.queryExecution.analyzed.collectLeaves().count(_.isInstanceOf[LogicalRelation])

  for (vectors <- Seq(false, true)) {
    lazy val t = {
      val t = tracked(vectors).append(1L to 6L, files = 3).append(7L to 8L)
      t.sql(s"UPDATE ${t.name} SET id = id + 100 WHERE id IN (2, 7)")
        .sql(s"DELETE FROM ${t.name} WHERE id IN (1, 3)")
        .sql(s"DELETE FROM ${t.name} WHERE id = 4")
        .sql(s"MERGE INTO ${t.name} t USING (SELECT explode(array(5L, 9L)) AS id) s ON t.id = s.id " +
          "WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT *")
        .sql(s"MERGE INTO ${t.name} t USING (SELECT 77L AS id) s ON t.id = s.id WHEN MATCHED THEN DELETE")
        .sql(s"OPTIMIZE ${t.name}")
        .append(Seq(10))
    }
    for (limit <- Seq("1", "2", "1000"))
      test(s"inserts, updates, deletes and merges, deletion vectors $vectors, $limit files per batch") {
        val read = allBatches(sourceOf(t, fromZero :+ ("maxFilesPerTrigger" -> limit): _*))
        assert(sorted(read.flatten) == expected(t))
      }
  }

  test("the initial snapshot is returned as inserts of its version, followed by the changes") {
    for (vectors <- Seq(false, true)) {
      val t = tracked(vectors).append(1L to 4L)
      t.sql(s"DELETE FROM ${t.name} WHERE id = 2")
      val source = sourceOf(t, feed: _*)
      val first = latest(source)
      val rows = changes(source.getBatch(None, first))
      assert(rows.map(row => (row.getLong(0), row.getString(1), row.getLong(2))) ==
        Seq(1L, 3L, 4L).map((_, "insert", 2L)))
      val times = expected(t, 2).map(_.getTimestamp(3)).toSet
      assert(rows.map(_.getTimestamp(3)).toSet == times)
      t.append(Seq(5))
      assert(changes(source.getBatch(Some(first), latest(source, first))) == expected(t, 3))
    }
  }

  test("two deletes in one file each return their own rows, and a restored row is an insert") {
    val t = tracked(vectors = true).append(1L to 4L)
    t.sql(s"DELETE FROM ${t.name} WHERE id = 2").sql(s"DELETE FROM ${t.name} WHERE id = 3")
    t.sql(s"RESTORE TABLE ${t.name} TO VERSION AS OF 2")
    val source = sourceOf(t, fromZero: _*)
    val batch = source.getBatch(None, latest(source))
    assert(changes(batch).map(row => (row.getLong(0), row.getString(1), row.getLong(2))) ==
      (1L to 4L).map((_, "insert", 1L)) ++ Seq((2L, "delete", 2L), (3L, "delete", 3L), (3L, "insert", 4L)))
  }

  test("all rows of a deletion vector too long for its descriptor are returned") {
    val count = 400000L
    val t = tracked(vectors = true).append(0L until count)
    t.sql(s"DELETE FROM ${t.name} WHERE xxhash64(id) % 2 = 0")
    val source = sourceOf(t, feed :+ ("startingVersion" -> "2"): _*)
    val found = changes(source.getBatch(None, latest(source))).map(_.getLong(0)).toSet
    assert(found.size == count - spark.read.format("delta").load(t.path).count() && found.size > 100000)
  }

  test("the columns are the table's, wherever its partition columns are, and the three of the feed") {
    val t = tracked(columns = "a STRING, p INT, id LONG", clause = "PARTITIONED BY (p)")
    t.sql(s"INSERT INTO ${t.name} VALUES ('x', 1, 1), ('y', 2, 2)").sql(s"DELETE FROM ${t.name} WHERE p = 2")
    val source = sourceOf(t, fromZero: _*)
    val batch = source.getBatch(None, latest(source))
    assert(batch.schema.map(_.name) == source.schema.map(_.name) && batch.isStreaming)
    assert(collect(batch.select("a", "p", "id", "_change_type")).toSet ==
      Set(Row("x", 1, 1, "insert"), Row("y", 2, 2, "insert"), Row("y", 2, 2, "delete")))
  }

  test("a batch without changes has the columns and no rows") {
    val t = tracked().append(Seq(1))
    val source = sourceOf(t, feed :+ ("startingVersion" -> "2"): _*)
    t.sql(s"OPTIMIZE ${t.name}").sql(s"ALTER TABLE ${t.name} SET TBLPROPERTIES ('a' = 'b')")
    val batch = source.getBatch(None, latest(source))
    assert(
      batch.schema.map(_.name) == source.schema.map(_.name) && changes(batch).isEmpty && batch.isStreaming)
  }

  test("the plan does not grow with the versions in a batch, and planning runs no job") {
    val t = tracked(vectors = true).append(1L to 30L, files = 15)
    (1 to 8).foreach { i =>
      t.sql(s"DELETE FROM ${t.name} WHERE id = ${2 * i}")
      if (i % 3 == 0) t.append(Seq(1000L + i))
    }
    val source = sourceOf(t, fromZero: _*)
    val end = latest(source)
    var batch = Option.empty[DataFrame]
    assert(JobCount.of(spark) { batch = Some(source.getBatch(None, end)) } == 0)
    assert(scans(batch.get) <= 5 && changes(batch.get) == expected(t))
  }

  test("a batch that begins where the change feed was off is refused with the range") {
    val t = TestTable().create().append(Seq(1))
    t.sql(s"ALTER TABLE ${t.name} SET TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')").append(Seq(2))
    val early = sourceOf(t, fromZero: _*)
    val error = refused(early.getBatch(None, latest(early)))
    assert(error.getCondition == "DELTA_MISSING_CHANGE_DATA")
    assert(
      error.getMessageParameters.get("version") == "0" && error.getMessageParameters.get("endVersion") == "4")
    val late = sourceOf(t, feed :+ ("startingVersion" -> "2"): _*)
    assert(changes(late.getBatch(None, latest(late))) == expected(t, 2))
  }

  test("a change feed turned off while the stream runs is refused from there on") {
    val t = tracked().append(Seq(1))
    val source = sourceOf(t, fromZero: _*)
    val first = latest(source)
    source.getBatch(None, first)
    t.sql(s"ALTER TABLE ${t.name} SET TBLPROPERTIES ('delta.enableChangeDataFeed' = 'false')").append(Seq(2))
    val second = latest(source, first)
    assert(refused(source.getBatch(Some(first), second)).getCondition == "DELTA_MISSING_CHANGE_DATA")
  }

  test("_commit_timestamp is monotonic over the previous hundred versions, or the in-commit time") {
    val t = tracked().append(Seq(1)).append(Seq(2)).append(Seq(3))
    val times = Seq(5000L, 3000L, 4000L, 9000L)
    times.zipWithIndex.foreach { case (time, version) =>
      assert(t.commitFile(version.toLong).toFile.setLastModified(1700000000000L + time))
    }
    val source = sourceOf(t, fromZero: _*)
    val found = changes(source.getBatch(None, latest(source))).map(_.getTimestamp(3))
    assert(found == Seq(5001L, 5002L, 9000L).map(time => new Timestamp(1700000000000L + time)))
    t.sql(
      s"ALTER TABLE ${t.name} SET TBLPROPERTIES ('delta.enableInCommitTimestamps' = 'true')").append(Seq(4))
    assert(t.commitFile(5).toFile.setLastModified(1700000000000L))
    val later = sourceOf(t, feed :+ ("startingVersion" -> "5"): _*)
    assert(changes(later.getBatch(None, latest(later))) == expected(t, 5))
  }
}
