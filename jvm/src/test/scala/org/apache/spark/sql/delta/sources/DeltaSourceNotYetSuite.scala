// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.delta.stream.NotYetSupportedException
import org.apache.spark.sql.delta.stream.plan.Problem.Feature
import org.apache.spark.sql.delta.testing.{SourceFixture, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** What this version does not stream is refused by name, never streamed wrongly. */
class DeltaSourceNotYetSuite extends AnyFunSuite with SourceFixture {

  private def refuses(feature: Feature)(body: => Any): Unit = {
    val error = intercept[NotYetSupportedException](body)
    assert(error.getCondition == "DELTASOURCE_NOT_YET_SUPPORTED")
    val _ = assert(error.getMessageParameters.get("feature") == feature.name)
  }

  test("the change feed, under both of its names") {
    val t =
      TestTable().create("id LONG", "TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')").append(Seq(1))
    for (name <- Seq("readChangeFeed", "readChangeData"))
      refuses(Feature.ChangeFeed)(latest(sourceOf(t, name -> "true")))
  }

  test("a stream that was refused can be stopped") {
    val t =
      TestTable().create("id LONG", "TBLPROPERTIES ('delta.columnMapping.mode' = 'name')").append(Seq(1))
    val source = sourceOf(t)
    refuses(Feature.ColumnMapping)(latest(source))
    source.stop()
  }

  test("schema tracking") {
    val t = TestTable().create().append(Seq(1))
    refuses(Feature.SchemaTracking)(latest(sourceOf(t, "schemaTrackingLocation" -> t.checkpointFolder())))
  }

  test("column mapping") {
    val t =
      TestTable().create("id LONG", "TBLPROPERTIES ('delta.columnMapping.mode' = 'name')").append(Seq(1))
    refuses(Feature.ColumnMapping)(latest(sourceOf(t)))
  }

  private def vectors() =
    TestTable().create("id LONG", "TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')").append(1L to 4L)

  test("deletion vectors in the initial snapshot") {
    val t = vectors()
    t.sql(s"DELETE FROM ${t.name} WHERE id = 2")
    assert(t.log.update().allFiles.collect().exists(_.deletionVector != null))
    refuses(Feature.DeletionVectors)(latest(sourceOf(t)))
  }

  test("deletion vectors in a commit that would be read again") {
    val t = vectors()
    val source = sourceOf(t, "ignoreChanges" -> "true")
    val first = latest(source)
    t.sql(s"DELETE FROM ${t.name} WHERE id = 2")
    refuses(Feature.DeletionVectors)(latest(source, first))
  }

  test("a table that may have deletion vectors and has none is streamed") {
    assert(batches(sourceOf(vectors())).flatMap(_._1) == Seq(1, 2, 3, 4))
  }

  test("a schema change while streaming, after what was committed before it") {
    val t = TestTable().create().append(Seq(1))
    val source = sourceOf(t)
    val first = latest(source)
    t.append(Seq(2))
    t.sql(s"ALTER TABLE ${t.name} ADD COLUMN name STRING")
    val second = latest(source, first)
    assert(rows(source.getBatch(Some(first), second)) == Seq(2))
    refuses(Feature.SchemaChange)(latest(source, second))
  }

  test("a schema change between the checkpoint and the restart") {
    val t = TestTable().create().append(Seq(1)).append(Seq(2))
    val first = latest(sourceOf(t, "startingVersion" -> "1", "maxFilesPerTrigger" -> "1"))
    t.sql(s"ALTER TABLE ${t.name} ADD COLUMN name STRING")
    refuses(Feature.SchemaChange)(latest(sourceOf(t), first))
  }

  test("a table property set while streaming is no change") {
    val t = TestTable().create().append(Seq(1))
    val source = sourceOf(t)
    val first = latest(source)
    t.sql(s"ALTER TABLE ${t.name} SET TBLPROPERTIES ('a' = 'b')").append(Seq(2))
    assert(rows(source.getBatch(Some(first), latest(source, first))) == Seq(2))
  }
}
