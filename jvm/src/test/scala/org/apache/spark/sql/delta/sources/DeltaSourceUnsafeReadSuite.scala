// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.SparkException
import org.apache.spark.sql.Row

import org.apache.spark.sql.delta.testing.{SourceFixture, TestTable}
import org.apache.spark.sql.delta.{DeltaIllegalStateException, DeltaLog}
import org.scalatest.funsuite.AnyFunSuite

/** Delta's conf for reading across column mapping changes, with a schema log from before the conf was set. */
class DeltaSourceUnsafeReadSuite extends AnyFunSuite with SourceFixture {
  private val unsafe =
    "spark.databricks.delta.streaming.unsafeReadOnIncompatibleColumnMappingSchemaChanges.enabled" -> "true"
  private val atStart =
    "spark.databricks.delta.streaming.unsafeReadOnIncompatibleSchemaChangesDuringStreamStart.enabled" -> "true"
  private val mapped =
    "TBLPROPERTIES ('delta.columnMapping.mode' = 'name', 'delta.enableTypeWidening' = 'true', " +
      "'delta.enableChangeDataFeed' = 'true')"

  private def tracked(t: TestTable): (String, String) = "schemaTrackingLocation" -> t.checkpointFolder()

  /** A table of one row, and a schema log with its schema. */
  private def tableWithSchemaLog(more: (String, String)*): TestTable = {
    val t = TestTable().create("id LONG, a STRING, b STRING NOT NULL", mapped)
    t.sql(s"INSERT INTO ${t.name} VALUES (1, 'a1', 'b1')")
    latest(sourceOf(t, tracked(t) +: more: _*))
    t
  }

  private def change(t: TestTable, changes: String*): TestTable =
    changes.foldLeft(t)((t, change) => t.sql(s"ALTER TABLE ${t.name} $change"))

  /**
   * All rows that a new run reads with the conf set, and the columns that the query was analyzed with. The run
   * starts at the latest version, so the schema of the log and of the table are compared, unless `atStart` is set.
   */
  private def read(t: TestTable, more: (String, String)*): (Seq[String], Set[Row]) =
    withConf(unsafe, atStart) {
      val options = (tracked(t) +: more).toMap + ("path" -> t.path)
      val columns =
        new DeltaDataSource().sourceSchema(spark.sqlContext, None, "delta", options)._2.fieldNames.toSeq
      val source = sourceOf(t, tracked(t) +: more: _*)
      val batch = source.getBatch(None, latest(source))
      assert(batch.schema.fieldNames.toSeq == columns)
      columns -> collect(batch.drop("_commit_version", "_commit_timestamp")).toSet
    }

  test("M1: files are read with the schema log's schema: a dropped column is null, an added one is missing") {
    val t = change(tableWithSchemaLog(), "DROP COLUMN a", "ADD COLUMN (c STRING)")
    t.sql(s"INSERT INTO ${t.name} VALUES (2, 'b2', 'c2')")
    assert(read(t) == (Seq("id", "a", "b") -> Set(Row(1L, "a1", "b1"), Row(2L, null, "b2"))))
  }

  test("M1: a new column with a dropped one's name and another type is not read as the dropped one") {
    val t = change(tableWithSchemaLog(), "DROP COLUMN a", "ADD COLUMN (a BIGINT)")
    t.sql(s"INSERT INTO ${t.name} VALUES (2, 'b2', 77)")
    assert(read(t)._2 == Set(Row(1L, "a1", "b1"), Row(2L, null, "b2")))
  }

  test("M1: a change feed is read with the schema log's schema too") {
    val t = change(tableWithSchemaLog("readChangeFeed" -> "true"), "DROP COLUMN a", "ADD COLUMN (c STRING)")
    t.sql(s"INSERT INTO ${t.name} VALUES (2, 'b2', 'c2')")
    assert(read(t, "readChangeFeed" -> "true")._2 == Set(
      Row(1L, "a1", "b1", "insert"),
      Row(2L, null, "b2", "insert")))
  }

  test("M1: a stream continues after a column was only added") {
    val t = change(tableWithSchemaLog(), "ADD COLUMN (c STRING)")
    assert(read(t) == (Seq("id", "a", "b") -> Set(Row(1L, "a1", "b1"))))
  }

  test("M1: a null is not read into a column that the schema log has as NOT NULL") {
    val t = change(tableWithSchemaLog(), "ALTER COLUMN b DROP NOT NULL")
    t.sql(s"INSERT INTO ${t.name} VALUES (2, 'a2', NULL)")
    // Only a compiled query checks that a column is NOT NULL.
    withConf("spark.sql.codegen.wholeStage" -> "true", "spark.sql.codegen.factoryMode" -> "FALLBACK") {
      intercept[SparkException](read(t))
    }
  }

  test("M25: a start at the latest version is refused if it has another schema than the schema log") {
    val t = change(tableWithSchemaLog(), "ADD COLUMN (c STRING)")
    val error = withConf(unsafe)(intercept[DeltaIllegalStateException](latest(sourceOf(t, tracked(t)))))
    assert(error.getCondition == "DELTA_SCHEMA_CHANGED_WITH_VERSION")
  }

  test("M6: with the conf, a stream runs although the schema at its start cannot be reconstructed") {
    val t = TestTable().create("id LONG", mapped).append(Seq(1)).append(Seq(2)).append(Seq(3)).checkpoint()
    val first = latest(sourceOf(t, "startingVersion" -> "1", "maxFilesPerTrigger" -> "1"))
    assert(t.commitFile(0).toFile.delete())
    t.log.update()
    DeltaLog.clearCache()
    withConf(unsafe) {
      val source = sourceOf(t)
      assert(rows(source.getBatch(Some(first), latest(source, first))) == Seq(2, 3))
    }
  }

  test("M19: snapshotAtSourceInit is the snapshot that the source was analyzed with") {
    val t = TestTable().create().append(Seq(1))
    assert(sourceOf(t).snapshotAtSourceInit.version == 1)
  }
}
