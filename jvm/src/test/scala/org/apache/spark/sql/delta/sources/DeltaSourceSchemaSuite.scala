// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.Row

import org.apache.spark.sql.delta.testing.{SourceFixture, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** Schema changes under streams without schema tracking, and one with it. */
class DeltaSourceSchemaSuite extends AnyFunSuite with SourceFixture {
  private val mapped = "TBLPROPERTIES ('delta.columnMapping.mode' = 'name')"

  test("a new column ends the run after the data before it, and the next run continues with it") {
    val t = TestTable().create().append(Seq(1))
    val source = sourceOf(t)
    val first = latest(source)
    t.append(Seq(2)).sql(s"ALTER TABLE ${t.name} ADD COLUMN name STRING")
    t.sql(s"INSERT INTO ${t.name} VALUES (3, 'c')")
    val second = latest(source, first)
    assert(rows(source.getBatch(Some(first), second)) == Seq(2))
    val error = refused(latest(source, second))
    assert(error.getCondition == "DELTA_SCHEMA_CHANGED_WITH_VERSION")
    assert(error.getMessageParameters.get("version") == "3")

    val again = sourceOf(t)
    assert(again.schema.fieldNames.toSeq == Seq("id", "name"))
    val batch = again.getBatch(Some(second), latest(again, second))
    assert(collect(batch) == Seq(Row(3L, "c")))
  }

  test("rows from before a new column have nulls in it, wherever the run starts") {
    val t = TestTable().create().append(Seq(1)).append(Seq(2))
    t.sql(s"ALTER TABLE ${t.name} ADD COLUMN name STRING")
    val source = sourceOf(t, "startingVersion" -> "1")
    val batch = source.getBatch(None, latest(source))
    assert(collect(batch).toSet == Set(Row(1L, null), Row(2L, null)))
  }

  test("a changed column type ends a run that starts before the change") {
    val t = TestTable().create().append(Seq(1))
    spark.sql("SELECT 'a' AS id").write.format("delta").mode("overwrite").option(
      "overwriteSchema",
      "true").save(t.path)
    val error = refused(latest(sourceOf(t, "startingVersion" -> "1", "ignoreChanges" -> "true")))
    assert(error.getCondition == "DELTA_SCHEMA_CHANGED_WITH_STARTING_OPTIONS")
  }

  test("a table property set while streaming is not a schema change") {
    val t = TestTable().create().append(Seq(1))
    val source = sourceOf(t)
    val first = latest(source)
    t.sql(s"ALTER TABLE ${t.name} SET TBLPROPERTIES ('a' = 'b')").append(Seq(2))
    assert(rows(source.getBatch(Some(first), latest(source, first))) == Seq(2))
  }

  test("mapped columns have the table's names, also nested ones and those renamed before the stream") {
    val t = TestTable().create("id LONG, s STRUCT<a: LONG, b: STRING>", mapped)
    t.sql(s"INSERT INTO ${t.name} VALUES (1, named_struct('a', 10L, 'b', 'x'))")
    t.sql(s"ALTER TABLE ${t.name} RENAME COLUMN s.a TO c")
    t.sql(s"INSERT INTO ${t.name} VALUES (2, named_struct('c', 20L, 'b', 'y'))")
    val source = sourceOf(t)
    assert(source.schema.simpleString == "struct<id:bigint,s:struct<c:bigint,b:string>>")
    val batch = source.getBatch(None, latest(source)).select("id", "s.c", "s.b")
    assert(collect(batch).toSet == Set(Row(1L, 10L, "x"), Row(2L, 20L, "y")))
  }

  test("a column renamed while streaming, or after the last offset, needs schema tracking") {
    val t = TestTable().create("id LONG", mapped).append(Seq(1)).append(Seq(2))
    val source = sourceOf(t, "startingVersion" -> "1", "maxFilesPerTrigger" -> "1")
    val first = latest(source)
    val second = latest(source, first)
    t.sql(s"ALTER TABLE ${t.name} RENAME COLUMN id TO number")
    val condition = "DELTA_STREAMING_INCOMPATIBLE_SCHEMA_CHANGE_USE_SCHEMA_LOG"
    assert(refused(latest(source, second)).getCondition == condition)
    assert(refused(latest(sourceOf(t), first)).getCondition == condition)
  }

  test("M64: a schema change between the analysis of the query and its start is noticed, once there is data") {
    for (start <- Seq("3", "latest")) {
      val t = TestTable().create("id LONG", mapped).append(Seq(1))
      val source = sourceOf(t, "startingVersion" -> start)
      t.sql(s"ALTER TABLE ${t.name} RENAME COLUMN id TO number")
      def insert() = t.sql(s"INSERT INTO ${t.name} VALUES (2)")
      if (start == "latest") assert(source.latestOffset(null, source.getDefaultReadLimit) == null)
      insert()
      val condition = "DELTA_STREAMING_INCOMPATIBLE_SCHEMA_CHANGE_USE_SCHEMA_LOG"
      assert(refused(latest(source)).getCondition == condition, s"from $start")
    }
  }

  test("M64: with the schema of the analysis, a stream may start at any later version") {
    val t = TestTable().create("id LONG", mapped).append(Seq(1))
    val source = sourceOf(t, "startingVersion" -> "3")
    t.append(Seq(2)).append(Seq(3))
    val first = latest(source)
    assert(rows(source.getBatch(None, first)) == Seq(3))
    t.append(Seq(4))
    assert(rows(source.getBatch(Some(first), latest(source, first))) == Seq(4))
  }

  test("column mapping turned on while streaming is not a schema change") {
    val t = TestTable().create().append(Seq(1))
    val source = sourceOf(t)
    val first = latest(source)
    val properties =
      "'delta.columnMapping.mode' = 'name', 'delta.minReaderVersion' = '2', 'delta.minWriterVersion' = '5'"
    t.sql(s"ALTER TABLE ${t.name} SET TBLPROPERTIES ($properties)").append(Seq(2))
    assert(rows(source.getBatch(Some(first), latest(source, first))) == Seq(2))
  }

  test("with column mapping, a start whose schema cannot be reconstructed is refused") {
    val t = TestTable().create("id LONG", mapped).append(Seq(1)).append(Seq(2)).append(Seq(3)).checkpoint()
    val first = latest(sourceOf(t, "startingVersion" -> "1", "maxFilesPerTrigger" -> "1"))
    assert(t.commitFile(0).toFile.delete())
    t.log.update()
    org.apache.spark.sql.delta.DeltaLog.clearCache()
    assert(refused(latest(
      sourceOf(t),
      first)).getCondition == "DELTA_STREAMING_CHECK_COLUMN_MAPPING_NO_SNAPSHOT")
  }

  test("with schema tracking, a renamed nested column has its new name once the change is acknowledged") {
    val t = TestTable().create("id LONG, s STRUCT<a: LONG, b: LONG>", mapped)
    t.sql(s"INSERT INTO ${t.name} VALUES (1, named_struct('a', 10L, 'b', 11L))")
    val tracked = "schemaTrackingLocation" -> t.checkpointFolder()
    val before = sourceOf(t, tracked)
    val first = latest(before)
    assert(collect(before.getBatch(None, first).select("s.a", "s.b")) == Seq(Row(10L, 11L)))
    t.sql(
      s"ALTER TABLE ${t.name} RENAME COLUMN s.a TO c").sql(s"ALTER TABLE ${t.name} RENAME COLUMN s.b TO a")
    t.sql(s"INSERT INTO ${t.name} VALUES (2, named_struct('c', 20L, 'a', 21L))")
    val change = latest(before, first)
    assert(change.json == first.json.replace(
      "\"sourceVersion\":1",
      "\"sourceVersion\":3").replace("-1,", "-20,"))
    assert(refused(before.commit(change)).getCondition == "DELTA_STREAMING_METADATA_EVOLUTION")

    val condition = "DELTA_STREAMING_CANNOT_CONTINUE_PROCESSING_POST_SCHEMA_EVOLUTION"
    assert(refused(sourceOf(t, tracked)).getCondition == condition)
    val acknowledged = Seq(tracked, "allowSourceColumnRename" -> "always")
    val between = sourceOf(t, acknowledged: _*)
    val second = latest(between, latest(between, latest(between, change)))
    assert(refused(between.commit(second)).getCondition == "DELTA_STREAMING_METADATA_EVOLUTION")
    val after = sourceOf(t, acknowledged: _*)
    val end = latest(after, latest(after, second))
    assert(collect(after.getBatch(Some(second), end).select("s.c", "s.a")) == Seq(Row(20L, 21L)))
  }
}
