// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.util.ManualClock

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.delta.actions.SetTransaction
import org.apache.spark.sql.delta.testing.{CountingFileSystem, SharedSession, TestTable}
import org.apache.spark.sql.delta.{DeltaLog, DeltaOperations}
import org.scalatest.funsuite.AnyFunSuite

class LatestTargetSnapshotProviderSuite extends AnyFunSuite with SharedSession {

  /** Gets the latest snapshot and commits on it, once a second. Returns the seconds that listed the log. */
  private def listed(listInterval: Long, seconds: Int): (Seq[Int], DeltaLog) = {
    val path = new Path(TestTable().create(clause = "TBLPROPERTIES ('delta.checkpointInterval' = '4')").path)
    DeltaLog.clearCache()
    withConf(CountingFileSystem.confs: _*) {
      val clock = new ManualClock(System.currentTimeMillis())
      val log = DeltaLog.forTable(spark, path, clock)
      val target = new LatestTargetSnapshotProvider(log, None)
      var listedAtMs = Option.empty[Long]
      val listed = (0 until seconds).filter { second =>
        clock.advance(1000)
        val listings = CountingFileSystem.listings {
          val (snapshot, at) = target.get(listInterval, listedAtMs)
          assert(snapshot.version == second)
          listedAtMs = at
        }
        val transaction = SetTransaction("query", second.toLong, None)
        val _ = log
          .startTransaction(None, Some(log.unsafeVolatileSnapshot))
          .commit(Seq(transaction), DeltaOperations.ManualUpdate)
        listings > 0
      }
      (listed, log)
    }
  }

  test("the log is listed once per interval, although each commit of ours counts as a refresh") {
    val (at, log) = listed(listInterval = 5000, seconds = 7)
    assert(at == Seq(0, 5))
    val known = log.unsafeVolatileSnapshot.logSegment
    assert(known.checkpointProvider.version == 4 && known.deltas.size == 3)
  }

  test("with interval 0 the log is listed each time") {
    assert(listed(listInterval = 0, seconds = 3)._1 == (0 to 2))
  }
}
