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

/** Row B70 of docs/behaviour.md: how far behind a stream is, and what it does not know of that. */
class LagSuite extends AnyFunSuite with ProgressFixture {
  private val nothing = Seq(Some("0"), Some("0"), Some("0"), Some("0"))

  private def check(name: String, log: => InMemoryTableLog, budget: Budget)(
      end: Position,
      lag: Option[String]*
  ): Unit =
    test(name) {
      val running = stream(log)
      assert(running.latest(None, budget).contains(end))
      assert(this.lag(running, Some(end)) == lag)
    }

  check("nothing is left", history(Vector(5)), Budget(9, 9))(at(1), nothing: _*)
  check(
    "a half-read commit counts, with what is left of it",
    history(Vector(5), Vector(1, 2, 4)),
    Budget(2, 99))(
    at(1, IndexInVersion.File(0)),
    Some("1"),
    Some("2"),
    Some("6"),
    Some("998")
  )
  check("commits that were read ahead count in full", history(Vector(5, 6), Vector(7)), Budget(2, 99))(
    at(1),
    Some("1"),
    Some("1"),
    Some("7"),
    Some("998")
  )
  check(
    "commits that were only listed have versions and no files",
    history(Vector(1), Vector(1), Vector(1)),
    Budget(1, 9))(
    at(1),
    Some("2"),
    None,
    None,
    Some("998")
  )
  check("sizes below zero count for nothing", history(Vector(1, -5, 2)), Budget(1, 9))(
    at(0, IndexInVersion.File(0)),
    Some("1"),
    Some("2"),
    Some("2"),
    Some("999")
  )

  test("inside the initial snapshot the log ahead is not known, and its own commit is the oldest") {
    val running = stream(history(Vector(1), Vector(1, 1)), start = None)
    val end = running.latest(None, Budget(2, 9))
    assert(end.contains(Position(1, IndexInVersion.File(1), inSnapshot = true)))
    assert(lag(running, end) == Seq(None, None, None, Some("998")))
  }

  test("a run that has a bound knows how far that is, inside the initial snapshot too") {
    val log = history(Vector(1, 1))
    val running = stream(log, start = None)
    log.append(1, 1).append(2, 1)
    running.prepareForAvailableNow()
    val first = running.latest(None, Budget(1, 9))
    assert(lag(running, first) == Seq(Some("3"), None, None, Some("999")))
    val last = running.latest(first, Budget(9, 9))
    assert(last.contains(at(3)) && lag(running, last) == nothing)
    val alone = stream(history(Vector(1)), start = None)
    alone.prepareForAvailableNow()
    assert(lag(alone, alone.latest(None, Budget(9, 9))) == nothing)
  }

  test("the time in a commit is before that of its file, and that of an unread one is its file's") {
    val info = CommitInfo.empty().copy(inCommitTimestamp = Some(400500))
    val files = FileList.of(Vector(InMemoryTableLog.file("a"), InMemoryTableLog.file("b")))
    val log = new InMemoryTableLog().put(Commit(0, files, info = Some(info)))
    val running = stream(log)
    val end = running.latest(None, Budget(1, 9))
    assert(lag(running, end).last.contains("599.5"))
    assert(lag(running, Some(at(1))).last.contains("0"))
  }

  test("a clock that was set back makes nobody early") {
    val watch = new Watch
    val running = stream(history(Vector(1, 1)), watch)
    val end = running.latest(None, Budget(1, 9))
    watch.wall = 5
    assert(lag(running, end).last.contains("0"))
  }

  test("once more commits were found by name than listed, their number is not known") {
    val log = history(Vector(1))
    val running = stream(log)
    val caughtUp = running.latest(None, Budget(9, 9))
    log.append(1, 1, 1).append(2, 1)
    val end = running.latest(caughtUp, Budget(1, 9))
    assert(lag(running, end) == Seq(None, None, None, Some("998")))
    val last = running.latest(end, Budget(9, 9))
    assert(last.contains(at(3)) && lag(running, last) == nothing)
  }

  test("a listing tells the number of commits for as long as a stream trusts it") {
    val watch = new Watch
    val running = stream(history(Vector(1), Vector(1), Vector(1), Vector(1)), watch)
    val first = running.latest(None, Budget(1, 9))
    watch.ticks = 9999
    val second = running.latest(first, Budget(1, 9))
    assert(lag(running, second).head.contains("2"))
    watch.ticks = 10000
    val third = running.latest(second, Budget(1, 9))
    assert(lag(running, third) == Seq(None, None, None, Some("996")))
  }

  test("a commit that was found and cannot be read is not taken for nothing") {
    val log = history(Vector(1), Vector(1))
    val running = stream(log)
    val first = running.latest(None, Budget(1, 9))
    log.append(2, 1).torn = Set(2)
    val end = running.latest(first, Budget(9, 9))
    assert(end.contains(at(2)) && lag(running, end) == Seq(None, None, None, None))
  }

  test("commits that have vanished count, and have neither files nor a time") {
    val log = history(Vector(1), Vector(1), Vector(1)).remove(1)
    val running = stream(log)
    val end = running.latest(None, Budget(9, 9))
    assert(end.contains(at(1)) && lag(running, end) == Seq(Some("2"), None, None, None))
  }

  test("a version with a number far ahead is counted, and nothing fails on it") {
    val running = stream(history(Vector(1)).append(9999999999L, 1))
    val end = running.latest(None, Budget(9, 9))
    assert(lag(running, end) == Seq(Some("9999999999"), None, None, None))
  }

  test("behind the last change file of a commit nothing of it is left") {
    val changes = FileList.of(Vector(AddCDCFile("a", Map.empty, 1), AddCDCFile("b", Map.empty, 1)))
    val log = new InMemoryTableLog().put(Commit(0, changes, SplitRule.ChangeFiles))
    val feed = Map("readChangeFeed" -> "true")
    val running = stream(log, planner = new ChangeFeedPlanner(AcceptAllFiles), options = feed)
    val end = running.latest(None, Budget(9, 9))
    assert(end.contains(at(0, IndexInVersion.File(1))) && lag(running, end) == nothing)
  }

  test("what is refused or changes the schema has files that nobody can count yet") {
    val log = history(Vector(1)).put(Commit(1, firstRemovedPath = Some("0-0")))
    val running = stream(log)
    val end = running.latest(None, Budget(9, 9))
    assert(end.contains(at(1)) && lag(running, end) == Seq(Some("1"), None, None, Some("998")))
  }

  for ((name, planner, options) <- Seq(
      ("a predicate", new AppendPlanner(_ => true), Map.empty[String, String]),
      ("excludeRegex", new AppendPlanner(AcceptAllFiles), Map("excludeRegex" -> "x"))
    ))
    test(s"$name is not asked ahead of its batch") {
      val running = stream(history(Vector(1, 1)), planner = planner, options = options)
      val end = running.latest(None, Budget(1, 9))
      assert(lag(running, end) == Seq(Some("1"), None, None, Some("999")))
      val last = running.latest(end, Budget(9, 9))
      assert(lag(running, last) == nothing)
    }

  test("a store that keeps no times has none") {
    val log = history(Vector(1, 1))
    val running = stream(log)
    val end = running.latest(None, Budget(1, 9)).get
    val timeless = running.state.tail.files.map { file =>
      file.copy(status = new FileStatus(1, false, 1, 1, 0, file.status.getPath))
    }
    val state = running.state.copy(tail = running.state.tail.copy(files = timeless))
    assert(Lag.of(state, end, 5, _ => None).milliseconds.isEmpty)
  }

  test("a commit that is skipped has no files for the stream") {
    val log = history(Vector(1), Vector(1)).put(
      Commit(1, FileList.of(Vector(InMemoryTableLog.file("a"))), firstRemovedPath = Some("0-0")))
    val running = stream(log, planner = Halting, options = Map("skipChangeCommits" -> "true"))
    val end = running.latest(None, Budget(1, 9))
    assert(end.contains(at(1)) && lag(running, end) == Seq(Some("1"), Some("0"), Some("0"), Some("997")))
  }

  /** Goes no further than one version, but looks ahead. */
  private object Halting extends Planner {
    private val files = new AppendPlanner(AcceptAllFiles)
    override def acceptsAllFiles: Boolean = true
    override def plan(steps: Iterator[ScanStep], from: Position, budget: Budget): Plan = {
      val (first, ahead) = (steps.next(), steps.hasNext)
      assert(ahead)
      files.plan(Iterator.single(first), from, budget)
    }
    override def range(steps: Iterator[ScanStep], from: Position, to: Position): Plan =
      files.range(steps, from, to)
    override def entries(steps: Iterator[ScanStep], from: Position): Iterator[Either[Problem, ScanEntry]] =
      files.entries(steps, from)
  }
}
