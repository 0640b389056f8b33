// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.datasources.LogicalRelation

import org.apache.spark.sql.delta.testing.{SourceFixture, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** Streams of rows over tables with deletion vectors. */
class DeltaSourceVectorsSuite extends AnyFunSuite with SourceFixture {

  private def tableWithVectors(): TestTable =
    TestTable().create("id LONG", "TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')")

  private def scans(batch: DataFrame): Int =
    batch.queryExecution.analyzed.collectLeaves().count(_.isInstanceOf[LogicalRelation])

  test("the initial snapshot omits deleted rows") {
    val t = tableWithVectors().append(1L to 4L)
    t.sql(s"DELETE FROM ${t.name} WHERE id = 2")
    assert(t.log.update().allFiles.collect().exists(_.deletionVector != null))
    assert(batches(sourceOf(t)).flatMap(_._1) == Seq(1, 3, 4))
  }

  test("a file whose deletion vector changed is read with each of its vectors, in one scan") {
    val t = tableWithVectors().append(1L to 4L)
    t.sql(s"DELETE FROM ${t.name} WHERE id = 2").sql(s"DELETE FROM ${t.name} WHERE id = 3")
    val source = sourceOf(t, "startingVersion" -> "0", "ignoreChanges" -> "true")
    val end = latest(source)
    val batch = source.getBatch(None, end)
    assert(rows(batch) == Seq(1, 1, 1, 2, 3, 3, 4, 4, 4) && scans(batch) == 1)
  }

  test("a batch of many versions with deletion vectors is one scan") {
    val t = tableWithVectors().append(1L to 16L, files = 8)
    (1 to 8).foreach(i => t.sql(s"DELETE FROM ${t.name} WHERE id = ${2 * i}"))
    val source = sourceOf(t, "startingVersion" -> "2", "ignoreChanges" -> "true")
    val batch = source.getBatch(None, latest(source))
    assert(scans(batch) == 1 && rows(batch) == (1L to 15L by 2))
  }

  test("skipChangeCommits skips a delete that only wrote a deletion vector") {
    val t = tableWithVectors().append(1L to 4L)
    t.sql(s"DELETE FROM ${t.name} WHERE id = 2").append(Seq(5))
    val source = sourceOf(t, "startingVersion" -> "0", "skipChangeCommits" -> "true")
    assert(batches(source).flatMap(_._1) == Seq(1, 2, 3, 4, 5))
  }

  test("the first deletion vectors of a table are applied by a stream that is already running") {
    val t = TestTable().create().append(1L to 4L)
    val source = sourceOf(t, "ignoreChanges" -> "true")
    val first = latest(source)
    t.sql(s"ALTER TABLE ${t.name} SET TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')")
    t.sql(s"DELETE FROM ${t.name} WHERE id = 2")
    assert(rows(source.getBatch(Some(first), latest(source, first))) == Seq(1, 3, 4))
  }
}
