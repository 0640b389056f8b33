// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.datasources.LogicalRelation

import org.apache.spark.sql.delta.testing.{SourceFixture, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** Plain streams over tables with deletion vectors. */
class DeltaSourceVectorsSuite extends AnyFunSuite with SourceFixture {

  private def vectors(): TestTable =
    TestTable().create("id LONG", "TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')")

  private def scans(batch: DataFrame): Int =
    batch.queryExecution.analyzed.collectLeaves().count(_.isInstanceOf[LogicalRelation])

  test("the initial snapshot leaves out what is deleted") {
    val t = vectors().append(1L to 4L)
    t.sql(s"DELETE FROM ${t.name} WHERE id = 2")
    assert(t.log.update().allFiles.collect().exists(_.deletionVector != null))
    assert(batches(sourceOf(t)).flatMap(_._1) == Seq(1, 3, 4))
  }

  test("a file that got another vector is read again, in one scan with the one before, each with its own") {
    val t = vectors().append(1L to 4L)
    t.sql(s"DELETE FROM ${t.name} WHERE id = 2").sql(s"DELETE FROM ${t.name} WHERE id = 3")
    val source = sourceOf(t, "startingVersion" -> "0", "ignoreChanges" -> "true")
    val end = latest(source)
    val batch = source.getBatch(None, end)
    assert(rows(batch) == Seq(1, 1, 1, 2, 3, 3, 4, 4, 4) && scans(batch) == 1)
  }

  test("a batch of many versions with vectors is one scan") {
    val t = vectors().append(1L to 16L, files = 8)
    (1 to 8).foreach(i => t.sql(s"DELETE FROM ${t.name} WHERE id = ${2 * i}"))
    val source = sourceOf(t, "startingVersion" -> "2", "ignoreChanges" -> "true")
    val batch = source.getBatch(None, latest(source))
    assert(scans(batch) == 1 && rows(batch) == (1L to 15L by 2))
  }

  test("skipChangeCommits passes over a deletion that only wrote a vector") {
    val t = vectors().append(1L to 4L)
    t.sql(s"DELETE FROM ${t.name} WHERE id = 2").append(Seq(5))
    val source = sourceOf(t, "startingVersion" -> "0", "skipChangeCommits" -> "true")
    assert(batches(source).flatMap(_._1) == Seq(1, 2, 3, 4, 5))
  }

  test("the first deletion vectors of a table are looked at by a stream that runs already") {
    val t = TestTable().create().append(1L to 4L)
    val source = sourceOf(t, "ignoreChanges" -> "true")
    val first = latest(source)
    t.sql(s"ALTER TABLE ${t.name} SET TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')")
    t.sql(s"DELETE FROM ${t.name} WHERE id = 2")
    assert(rows(source.getBatch(Some(first), latest(source, first))) == Seq(1, 3, 4))
  }
}
