// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.spark.sql.delta.actions.Metadata
import org.apache.spark.sql.delta.stream.model.Commit
import org.apache.spark.sql.delta.stream.plan.Budget
import org.apache.spark.sql.delta.testing.InMemoryTableLog
import org.scalatest.funsuite.AnyFunSuite

class DeltaStreamReplacedTableSuite extends AnyFunSuite with DeltaStreamFixture {

  /** The same versions in another table: it was deleted and recreated. */
  private def recreate(log: InMemoryTableLog, versions: Int): Unit = {
    (0L to log.cachedLatest()).foreach(log.remove)
    log.put(Commit(0, metadata = Some(Metadata(id = "other"))))
    (1 until versions).foreach(version => log.append(version.toLong, 1))
  }

  for (versions <- Seq(1, 2, 3))
    test(s"a table recreated with $versions versions while the stream waits at the second stops it") {
      val log = history(Vector(1), Vector(1))
      val running =
        stream(log, settings("startingVersion" -> "0")("spark.deltasource.log.listInterval" -> "0"))
      val end = running.latest(None, Budget.unlimited)
      recreate(log, versions)
      assert(condition(running.latest(end, one)) == "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE")
    }

  for {
    (start, name) <- Seq(None -> "behind its initial snapshot", Some(2L) -> "for its first commit")
    reuse <- Seq(true, false)
  }
    test(s"a table recreated while a stream waits $name stops it (reuse $reuse)") {
      val log = history(Vector(1), Vector(1))
      val confs = Seq("spark.deltasource.log.listInterval" -> "0", "spark.deltasource.log.reuse" -> s"$reuse")
      val running = stream(log, settings()(confs: _*), start)
      val end = running.latest(None, Budget.unlimited)
      assert(running.latest(end, one) == end)
      recreate(log, 3)
      assert(condition(running.latest(end, one)) == "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE")
    }

  test("a table recreated while a stream that came back waits stops it") {
    val log = history(Vector(1), Vector(1))
    val end = stream(log).latest(None, Budget.unlimited)
    val back = stream(log, settings()("spark.deltasource.log.listInterval" -> "0"))
    end.foreach(back.files(at(0), _))
    assert(back.latest(end, one) == end)
    recreate(log, 3)
    assert(condition(back.latest(end, one)) == "DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE")
  }

  test("versions whose retention is over, while newer ones are there, stop nothing") {
    val log = history(Vector(1), Vector(1))
    val running = stream(log)
    val end = running.latest(None, Budget.unlimited)
    log.append(2, 1).remove(0).remove(1)
    assert(running.latest(end, one).contains(at(3)))
  }
}
