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
