// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.hadoop.fs.FileStatus
import org.apache.spark.sql.delta.actions.{AddCDCFile, CommitInfo}
import org.apache.spark.sql.delta.stream.model.{
  Commit,
  FileList,
  IndexInVersion,
  Position,
  Problem,
  SplitRule
}
import org.apache.spark.sql.delta.stream.plan.{
  AcceptAllFiles,
  AppendPlanner,
  Budget,
  ChangeFeedPlanner,
  Plan,
  Planner,
  ScanEntry,
  ScanStep
}
import org.apache.spark.sql.delta.testing.InMemoryTableLog
import org.scalatest.funsuite.AnyFunSuite

/** Row B70 of docs/internals/behaviour.md: how far behind a stream is, and which numbers are unknown. */
class LagSuite extends AnyFunSuite with ProgressFixture {
  private val noLag = Seq(Some("0"), Some("0"), Some("0"), Some("0"))

  private def check(name: String, log: => InMemoryTableLog, budget: Budget)(
      end: Position,
      lag: Option[String]*
  ): Unit =
    test(name) {
      val running = stream(log)
      assert(running.latestOffset(None, budget).contains(end))
      assert(this.lag(running, Some(end)) == lag)
    }

  check("there is no lag at the end of the table", history(Vector(5)), Budget(9, 9))(at(1), noLag: _*)
  check(
    "a half-read commit is counted, with the files left in it",
    history(Vector(5), Vector(1, 2, 4)),
    Budget(2, 99))(
    at(1, IndexInVersion.File(0)),
    Some("1"),
    Some("2"),
    Some("6"),
    Some("998")
  )
  check("commits that were prefetched are counted in full", history(Vector(5, 6), Vector(7)), Budget(2, 99))(
    at(1),
    Some("1"),
    Some("1"),
    Some("7"),
    Some("998")
  )
  check(
    "commits that were only listed are counted, and their files are unknown",
    history(Vector(1), Vector(1), Vector(1)),
    Budget(1, 9))(
    at(1),
    Some("2"),
    None,
    None,
    Some("998")
  )
  check("negative sizes count as 0", history(Vector(1, -5, 2)), Budget(1, 9))(
    at(0, IndexInVersion.File(0)),
    Some("1"),
    Some("2"),
    Some("2"),
    Some("999")
  )

  test("inside the initial snapshot the number of commits is unknown, and its own is the oldest") {
    val running = stream(history(Vector(1), Vector(1, 1)), start = None)
    val end = running.latestOffset(None, Budget(2, 9))
    assert(end.contains(Position(1, IndexInVersion.File(1), inSnapshot = true)))
    assert(lag(running, end) == Seq(None, None, None, Some("998")))
  }

  test("a run that has an end knows how many versions are left, inside the initial snapshot too") {
    val log = history(Vector(1, 1))
    val running = stream(log, start = None)
    log.append(1, 1).append(2, 1)
    running.prepareForAvailableNow()
    val first = running.latestOffset(None, Budget(1, 9))
    assert(lag(running, first) == Seq(Some("3"), None, None, Some("999")))
    val last = running.latestOffset(first, Budget(9, 9))
    assert(last.contains(at(3)) && lag(running, last) == noLag)
    val alone = stream(history(Vector(1)), start = None)
    alone.prepareForAvailableNow()
    assert(lag(alone, alone.latestOffset(None, Budget(9, 9))) == noLag)
  }

  test("the timestamp in a commit is used before its file's modification time") {
    val info = CommitInfo.empty().copy(inCommitTimestamp = Some(400500))
    val files = FileList.of(Vector(InMemoryTableLog.file("a"), InMemoryTableLog.file("b")))
    val log = new InMemoryTableLog().put(Commit(0, files, info = Some(info)))
    val running = stream(log)
    val end = running.latestOffset(None, Budget(1, 9))
    assert(lag(running, end).last.contains("599.5"))
    assert(lag(running, Some(at(1))).last.contains("0"))
  }

  test("a clock that was set back does not make the lag negative") {
    val watch = new Watch
    val running = stream(history(Vector(1, 1)), watch)
    val end = running.latestOffset(None, Budget(1, 9))
    watch.wall = 5
    assert(lag(running, end).last.contains("0"))
  }

  test("the number of commits is unknown once more were found by name than listed") {
    val log = history(Vector(1))
    val running = stream(log)
    val caughtUp = running.latestOffset(None, Budget(9, 9))
    log.append(1, 1, 1).append(2, 1)
    val end = running.latestOffset(caughtUp, Budget(1, 9))
    assert(lag(running, end) == Seq(None, None, None, Some("998")))
    val last = running.latestOffset(end, Budget(9, 9))
    assert(last.contains(at(3)) && lag(running, last) == noLag)
  }

  test("a listing gives the number of commits until it is older than the list interval") {
    val watch = new Watch
    val running = stream(history(Vector(1), Vector(1), Vector(1), Vector(1)), watch)
    val first = running.latestOffset(None, Budget(1, 9))
    watch.ticks = 9999
    val second = running.latestOffset(first, Budget(1, 9))
    assert(lag(running, second).head.contains("2"))
    watch.ticks = 10000
    val third = running.latestOffset(second, Budget(1, 9))
    assert(lag(running, third) == Seq(None, None, None, Some("996")))
  }

  test("a commit that was found but cannot be read makes the lag unknown") {
    val log = history(Vector(1), Vector(1))
    val running = stream(log)
    val first = running.latestOffset(None, Budget(1, 9))
    log.append(2, 1).torn = Set(2)
    val end = running.latestOffset(first, Budget(9, 9))
    assert(end.contains(at(2)) && lag(running, end) == Seq(None, None, None, None))
  }

  test("missing commits are counted, and their files and age are unknown") {
    val log = history(Vector(1), Vector(1), Vector(1)).remove(1)
    val running = stream(log)
    val end = running.latestOffset(None, Budget(9, 9))
    assert(end.contains(at(1)) && lag(running, end) == Seq(Some("2"), None, None, None))
  }

  test("a version number far ahead is counted and does not fail") {
    val running = stream(history(Vector(1)).append(9999999999L, 1))
    val end = running.latestOffset(None, Budget(9, 9))
    assert(lag(running, end) == Seq(Some("9999999999"), None, None, None))
  }

  test("after the last change file of a commit nothing is left of it") {
    val changes = FileList.of(Vector(AddCDCFile("a", Map.empty, 1), AddCDCFile("b", Map.empty, 1)))
    val log = new InMemoryTableLog().put(Commit(0, changes, SplitRule.ChangeFiles))
    val feed = Map("readChangeFeed" -> "true")
    val running = stream(log, planner = new ChangeFeedPlanner(AcceptAllFiles), options = feed)
    val end = running.latestOffset(None, Budget(9, 9))
    assert(end.contains(at(0, IndexInVersion.File(1))) && lag(running, end) == noLag)
  }

  test("the files of a refused commit are unknown") {
    val log = history(Vector(1)).put(Commit(1, firstRemovedPath = Some("0-0")))
    val running = stream(log)
    val end = running.latestOffset(None, Budget(9, 9))
    assert(end.contains(at(1)) && lag(running, end) == Seq(Some("1"), None, None, Some("998")))
  }

  for ((name, planner, options) <- Seq(
      ("a predicate", new AppendPlanner(_ => true), Map.empty[String, String]),
      ("excludeRegex", new AppendPlanner(AcceptAllFiles), Map("excludeRegex" -> "x"))
    ))
    test(s"with $name the files are unknown until the batch is planned") {
      val running = stream(history(Vector(1, 1)), planner = planner, options = options)
      val end = running.latestOffset(None, Budget(1, 9))
      assert(lag(running, end) == Seq(Some("1"), None, None, Some("999")))
      val last = running.latestOffset(end, Budget(9, 9))
      assert(lag(running, last) == noLag)
    }

  test("without modification times the age is unknown") {
    val log = history(Vector(1, 1))
    val running = stream(log)
    val end = running.latestOffset(None, Budget(1, 9)).get
    val timeless = running.state.tail.files.map { file =>
      file.copy(status = new FileStatus(1, false, 1, 1, 0, file.status.getPath))
    }
    val state = running.state.copy(tail = running.state.tail.copy(files = timeless))
    assert(Lag.of(state, end, 5, _ => None).milliseconds.isEmpty)
  }

  test("a skipped commit is counted, without files") {
    val log = history(Vector(1), Vector(1)).put(
      Commit(1, FileList.of(Vector(InMemoryTableLog.file("a"))), firstRemovedPath = Some("0-0")))
    val running = stream(log, planner = OneVersionPlanner, options = Map("skipChangeCommits" -> "true"))
    val end = running.latestOffset(None, Budget(1, 9))
    assert(end.contains(at(1)) && lag(running, end) == Seq(Some("1"), Some("0"), Some("0"), Some("997")))
  }

  /** Plans one version, and checks that there is another one. */
  private object OneVersionPlanner extends Planner {
    private val files = new AppendPlanner(AcceptAllFiles)
    override def acceptsAllFiles: Boolean = true
    override def plan(steps: Iterator[ScanStep], from: Position, budget: Budget): Plan = {
      val (first, ahead) = (steps.next(), steps.hasNext)
      assert(ahead)
      files.plan(Iterator.single(first), from, budget)
    }
    override def planRange(steps: Iterator[ScanStep], from: Position, to: Position): Plan =
      files.planRange(steps, from, to)
    override def entries(steps: Iterator[ScanStep], from: Position): Iterator[Either[Problem, ScanEntry]] =
      files.entries(steps, from)
  }
}
