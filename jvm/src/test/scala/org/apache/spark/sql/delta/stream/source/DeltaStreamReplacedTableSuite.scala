// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.spark.sql.delta.actions.Metadata
import org.apache.spark.sql.delta.stream.model.Commit
import org.apache.spark.sql.delta.stream.plan.Budget
import org.apache.spark.sql.delta.testing.InMemoryTableLog
import org.scalatest.funsuite.AnyFunSuite

class DeltaStreamReplacedTableSuite extends AnyFunSuite with DeltaStreamFixture {

  /** Deletes the table and recreates it with this many versions. */
  private def recreate(log: InMemoryTableLog, versions: Int): Unit = {
    (0L to log.cachedLatestVersion()).foreach(log.remove)
    log.put(Commit(0, metadata = Some(Metadata(id = "other"))))
    (1 until versions).foreach(version => log.append(version.toLong, 1))
  }

  for (versions <- Seq(1, 2, 3))
    test(s"a table recreated with $versions versions while a stream has read two stops the stream") {
      val log = history(Vector(1), Vector(1))
      val running =
        stream(log, settings("startingVersion" -> "0")("spark.deltasource.log.listInterval" -> "0"))
      val end = running.latestOffset(None, Budget.unlimited)
      recreate(log, versions)
      assert(condition(running.latestOffset(end, one)) == "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE")
    }

  for {
    (start, name) <- Seq(None -> "after its initial snapshot", Some(2L) -> "for its first commit")
    reuse <- Seq(true, false)
  }
    test(s"a table recreated while a stream waits $name stops the stream (reuse $reuse)") {
      val log = history(Vector(1), Vector(1))
      val confs = Seq("spark.deltasource.log.listInterval" -> "0", "spark.deltasource.log.reuse" -> s"$reuse")
      val running = stream(log, settings()(confs: _*), start)
      val end = running.latestOffset(None, Budget.unlimited)
      assert(running.latestOffset(end, one) == end)
      recreate(log, 3)
      assert(condition(running.latestOffset(end, one)) == "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE")
    }

  test("a table recreated while a restarted stream waits stops the stream") {
    val log = history(Vector(1), Vector(1))
    val end = stream(log).latestOffset(None, Budget.unlimited)
    val restarted = stream(log, settings()("spark.deltasource.log.listInterval" -> "0"))
    end.foreach(restarted.files(at(0), _))
    assert(restarted.latestOffset(end, one) == end)
    recreate(log, 3)
    assert(condition(restarted.latestOffset(end, one)) == "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE")
  }

  test("deleting old commits does not stop a stream if there are newer ones") {
    val log = history(Vector(1), Vector(1))
    val running = stream(log)
    val end = running.latestOffset(None, Budget.unlimited)
    log.append(2, 1).remove(0).remove(1)
    assert(running.latestOffset(end, one).contains(at(3)))
  }
}
