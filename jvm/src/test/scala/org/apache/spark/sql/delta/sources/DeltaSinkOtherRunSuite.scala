// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.streaming.OutputMode

import org.apache.spark.sql.delta.DeltaOptions
import org.apache.spark.sql.delta.actions.SetTransaction
import org.apache.spark.sql.delta.stream.sink.{AppendWriter, Batch, TableSink, Target}
import org.apache.spark.sql.delta.testing.TestTable
import org.scalatest.funsuite.AnyFunSuite

/** Batches that another run of the same query has written. */
class DeltaSinkOtherRunSuite extends AnyFunSuite with DeltaSinkOnceFixture {
  test("W2: a second run on a copy of the checkpoint fails, instead of losing its batch") {
    val table = TestTable().create()
    val (one, other) = (new Rows, new Rows)
    Seq(one, other).foreach(_.add(1))
    write(one.frame, table)()
    copyCheckpoint(table, "checkpoint", "copy")
    one.add(1)
    write(one.frame, table)()
    other.add(2)
    def late() = write(other.frame.selectExpr("id + 10 AS id"), table, checkpoint = "copy")()
    assert(condition(late()) == "DELTASOURCE_OTHER_RUN")
    assert(ids(table) == Seq(0, 1))
    withConf("spark.deltasource.sink.failOnOtherRun" -> "false")(late())
    assert(ids(table) == Seq(0, 1))
  }

  test("another run that writes the same batch at the same time is a conflict") {
    val table = TestTable().create()
    val rows = new Rows
    rows.add(1)
    val query = write(rows.frame, table)().head.id.toString
    rows.add(1)
    val slow = duringBatch(rows.frame)(commit(table, SetTransaction(query, 1, None)))
    assert(condition(write(slow, table)()).startsWith("DELTA_CONCURRENT_TRANSACTION"))
    assert(ids(table) == Seq(0))
  }

  test("a batch that this run planned is not taken for the one that another run has written since") {
    val table = TestTable().create()
    val options = new DeltaOptions(Map.empty[String, String], spark.sessionState.conf)
    val target = Target(table.log.dataPath, None, Nil, OutputMode.Append, options)
    val sink = new TableSink("query", table.log, target, new AppendWriter(table.log, target))
    val plannedAt = System.currentTimeMillis()
    commit(table, SetTransaction("query", 0, Some(plannedAt + 1)))
    def add(plannedAt: Long): Unit =
      sink.add(Batch(0, spark.range(3).toDF(), Some(plannedAt), isTerminating = false))
    val refused = intercept[SparkThrowable](add(plannedAt))
    assert(refused.getCondition == "DELTASOURCE_OTHER_RUN")
    // As a replayed batch that an earlier run planned.
    add(plannedAt - 60000)
    assert(sink.report() == Map("batchSkipped" -> "true"))
    assert(table.version == 1)
  }

  test("a run that finds a batch of another run after its own fails") {
    val table = TestTable().create()
    val rows = new Rows
    val query = start(rows.frame, table)()
    try {
      rows.add(1)
      query.processAllAvailable()
      // Without the time at which it was written.
      commit(table, SetTransaction(query.id.toString, 1, None))
      rows.add(1)
      assert(condition(query.processAllAvailable()) == "DELTASOURCE_OTHER_RUN")
    } finally query.stop()
    assert(ids(table) == Seq(0))
  }
}
