// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.spark.sql.delta.stream.model.{Commit, IndexInVersion, Position}
import org.apache.spark.sql.delta.stream.plan.Budget
import org.apache.spark.sql.delta.testing.Generators
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class DeltaStreamSuite extends AnyFunSuite with DeltaStreamFixture with ScalaCheckPropertyChecks {
  test("a commit is read once, however many batches it is cut into") {
    val log = history(Vector(1, 1, 1, 1), Vector(1))
    val running = stream(log)
    var from = Option.empty[Position]
    var batches = 0
    var files = Vector.empty[String]
    Iterator.continually(running.latestOffset(from, one)).takeWhile(_ != from).foreach { end =>
      files ++= running.files(from.getOrElse(at(0)), end.get).map(_.path)
      running.commit(end.get)
      from = end
      batches += 1
    }
    assert(batches == 5 && files == Seq("0-0", "0-1", "0-2", "0-3", "1-0"))
    assert(log.reads == Vector(0, 1) && log.listings == 1)
  }

  test("a planned batch is returned without listing or reading, with one lookup of its last commit") {
    val log = history(Vector(1), Vector(1))
    val running = stream(log)
    val end = running.latestOffset(None, Budget.unlimited).get
    val (listings, lookups, reads) = (log.listings, log.lookups, log.reads)
    assert(running.files(at(0), end).map(_.path) == Seq("0-0", "1-0"))
    assert(log.listings == listings && log.reads == reads && log.lookups == lookups + 1)
  }

  test("commits beyond a full batch are not opened") {
    val log = history(Vector.fill(50)(Vector(1L)): _*)
    stream(log).latestOffset(None, one)
    assert(log.reads == Vector(0, 1))
  }

  test("commits after a batch are prefetched, up to the end of the run and until the stream stops") {
    val log = history(Vector.fill(5)(Vector(1L)): _*)
    val running = stream(log)
    running.latestOffset(None, one)
    assert(log.prefetched == Vector(2, 3, 4))
    running.stop()
    assert(log.prefetched.isEmpty)
    // Without log reuse it lists again, and sees commits made after the end of the run was set.
    val now = stream(log, settings("startingVersion" -> "0")("spark.deltasource.log.reuse" -> "false"))
    now.prepareForAvailableNow()
    val end = now.latestOffset(None, one)
    log.append(5, 1)
    now.latestOffset(end, Budget(2, 100))
    assert(log.prefetched == Vector(4))
  }

  test("a batch planned before a restart has the same files after it") {
    forAll(Generators.history, Generators.limits) { case (commits, (files, bytes)) =>
      val log = history(commits: _*)
      val before = stream(log)
      val end = before.latestOffset(None, Budget(files.toLong, bytes)).get
      assert(stream(log).files(at(0), end).map(_.action) == before.files(at(0), end).map(_.action))
    }
  }

  test("M22: a stream that no longer tracks schemas reads on from a schema change without a batch for it") {
    val running = stream(history(Vector(1), Vector(1), Vector(1)))
    val from = at(1, IndexInVersion.SchemaChange)
    val end = running.latestOffset(Some(from), Budget.unlimited)
    assert(end.contains(at(3)) && running.files(from, end.get).map(_.path) == Seq("1-0", "2-0"))
  }

  test("a half-read snapshot continues in the snapshot of its version, whatever was committed since") {
    val log = history(Vector(1, 1), Vector(1))
    val snapshot = settings()()
    val before = stream(log, snapshot, None)
    val end = before.latestOffset(None, Budget(2, 100)).get
    assert(end == Position(1, IndexInVersion.File(1), inSnapshot = true))
    log.append(2, 1)
    val after = stream(log, snapshot, None)
    val next = after.latestOffset(Some(end), Budget.unlimited).get
    assert(after.files(end, next).map(_.path) == Seq("1-0", "2-0") && next == at(3))
  }

  test("S3: a batch that starts outside the snapshot releases it") {
    val log = history(Vector(1))
    val running = stream(log, settings()(), None)
    val end = running.latestOffset(None, Budget.unlimited).get
    running.files(Position(0, IndexInVersion.Begin, inSnapshot = true), end)
    assert(running.state.snapshot.nonEmpty)
    log.append(1, 1)
    val next = running.latestOffset(Some(end), Budget.unlimited).get
    running.files(end, next)
    assert(running.state.snapshot.isEmpty && log.closed == Vector(0L -> true))
  }

  for (interval <- Seq("0", "1h")) {
    test(s"a trailing commit that vanished after it was planned stops the stream (listInterval $interval)") {
      val log = history(Vector(1), Vector(1))
      val running =
        stream(log, settings("startingVersion" -> "0")("spark.deltasource.log.listInterval" -> interval))
      val end = running.latestOffset(None, Budget.unlimited).get
      log.remove(1)
      assert(condition(running.files(at(0), end)) == "DELTA_STREAMING_TRAILING_COMMIT_MISSING")
    }

    test(s"a commit replaced after it was planned stops the stream (listInterval $interval)") {
      val log = history(Vector(1), Vector(1))
      val running =
        stream(log, settings("startingVersion" -> "0")("spark.deltasource.log.listInterval" -> interval))
      val end = running.latestOffset(None, Budget.unlimited).get
      log.append(1, 2)
      assert(condition(running.files(at(0), end)) == "DELTASOURCE_COMMIT_REPLACED")
    }
  }

  test("the last commit of a batch is looked up even if the plan has read the commit after it") {
    val log = history(Vector(1), Vector(1))
    val running = stream(log)
    val end = running.latestOffset(None, one).get
    log.remove(0)
    assert(end == at(1))
    assert(condition(running.files(at(0), end)) == "DELTA_MISSING_FILES_UNEXPECTED_VERSION")
  }

  test("a trailing commit missing after a restart stops the stream, even with failOnDataLoss=false") {
    val log = history(Vector(1), Vector(1))
    val end = stream(log).latestOffset(None, Budget.unlimited).get
    log.remove(1)
    val lenient = settings("startingVersion" -> "0", "failOnDataLoss" -> "false")()
    assert(condition(stream(log, lenient).files(at(0), end)) == "DELTA_STREAMING_TRAILING_COMMIT_MISSING")
  }

  test("a gap stops the stream once the data before it is delivered") {
    val log = history(Vector(1), Vector(1), Vector(1)).remove(1)
    val running = stream(log)
    val end = running.latestOffset(None, Budget.unlimited)
    assert(end.contains(at(1)))
    assert(condition(running.latestOffset(end, Budget.unlimited)) == "DELTA_MISSING_FILES_UNEXPECTED_VERSION")
  }

  test("a gap is skipped with failOnDataLoss=false") {
    val log = history(Vector(1), Vector(1), Vector(1)).remove(1)
    val running = stream(log, settings("startingVersion" -> "0", "failOnDataLoss" -> "false")())
    val end = running.latestOffset(None, Budget.unlimited).get
    assert(end == at(3) && running.files(at(0), end).map(_.path) == Seq("0-0", "2-0"))
  }

  test("a batch that ends before a gap at its limit can be planned again") {
    val lenient = settings("startingVersion" -> "0", "failOnDataLoss" -> "false")()
    val log = history(Vector(1), Vector(1), Vector(1)).remove(1)
    val end = stream(log, lenient).latestOffset(None, one).get
    val restarted = stream(log, lenient)
    assert(restarted.files(at(0), end).map(_.path) == Seq("0-0"))
    val next = restarted.latestOffset(Some(end), one).get
    assert(restarted.files(end, next).map(_.path) == Seq("2-0"))
  }

  test("a commit that cannot be read fails the stream after the data before it, until repaired") {
    val log = history(Vector(1), Vector(1), Vector(1))
    log.torn = Set(1)
    val running = stream(log)
    val end = running.latestOffset(None, Budget.unlimited)
    assert(end.contains(at(1)) && running.files(at(0), end.get).map(_.path) == Seq("0-0"))
    assert(condition(running.latestOffset(end, Budget.unlimited)) == "DELTASOURCE_EMPTY_COMMIT")
    log.torn = Set.empty
    assert(running.latestOffset(end, Budget.unlimited).contains(at(3)))
  }

  test("the first batch is built as a restart would build it, from the snapshot before its end") {
    val log = history(Vector(1))
    val running = stream(log, settings()(), None)
    log.append(1, 1)
    val end = running.latestOffset(None, Budget.unlimited).get
    val from = running.batchStart(None, end)
    assert(from == Position(1, IndexInVersion.Begin, inSnapshot = true))
    assert(running.files(from, end).map(_.path) == Seq("0-0", "1-0"))
  }

  test("the data before a refused commit is delivered before the stream fails") {
    val log = history(Vector(1), Vector(1)).put(Commit(2, firstRemovedPath = Some("0-0")))
    val running = stream(log)
    val end = running.latestOffset(None, Budget.unlimited)
    assert(end.contains(at(2)) && running.files(at(0), end.get).size == 2)
    assert(condition(running.latestOffset(end, Budget.unlimited)) == "DELTA_SOURCE_IGNORE_DELETE")
  }

  test("AvailableNow ends where the table ended at its first call, however the batches are cut") {
    val log = history(Vector(1, 1), Vector(1))
    val running = stream(log)
    running.prepareForAvailableNow()
    val first = running.latestOffset(None, one)
    log.append(2, 1)
    val second = running.latestOffset(first, one)
    val third = running.latestOffset(second, one)
    assert(third.contains(at(2)) && running.latestOffset(third, one) == third)
  }

  test("without plan reuse a batch is planned again from the log, with the same files") {
    val log = history(Vector(1, 1), Vector(1))
    val fresh = stream(log, settings("startingVersion" -> "0")("spark.deltasource.plan.reuse" -> "false"))
    val end = fresh.latestOffset(None, Budget(2, 100)).get
    val reads = log.reads.size
    assert(fresh.files(at(0), end).map(_.path) == Seq("0-0", "0-1") && log.reads.size > reads)
  }

  test("the commits of a committed batch are dropped, except the one it ends in") {
    val log = history(Vector(1), Vector(1, 1), Vector(1))
    val running = stream(log)
    val end = running.latestOffset(None, Budget(2, 100)).get
    running.commit(end)
    assert(running.state.tail.parsed.map(_.file.version) == Seq(1) && running.state.lastPlan.isEmpty)
  }

  test("S10: stop releases the snapshot, and may be called twice") {
    val log = history(Vector(1))
    val running = stream(log, settings()(), None)
    running.latestOffset(None, one)
    running.stop()
    running.stop()
    assert(log.closed == Vector(0L -> false) && running.state.snapshot.isEmpty)
  }
}
