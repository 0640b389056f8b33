// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import java.nio.file.{Files, Path}

import org.apache.spark.sql.types.{LongType, StructType}

import org.apache.spark.sql.delta.actions.Metadata
import org.apache.spark.sql.delta.stream.log.LogTailCache
import org.apache.spark.sql.delta.stream.model.{Commit, IndexInVersion, Position}
import org.apache.spark.sql.delta.stream.plan.{BatchEndReason, Budget}
import org.apache.spark.sql.delta.testing.{Generators, InMemoryTableLog}
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

object ProgressSuite {

  private sealed abstract class Event
  private case object Quiet extends Event
  private case object Restart extends Event
  private final case class Append(sizes: Vector[Long]) extends Event
}

/** Rows B70 to B74 of behaviour.md: what a stream reports, and that reporting reads nothing. */
class ProgressSuite extends AnyFunSuite with ProgressFixture with ScalaCheckPropertyChecks {
  import ProgressSuite._

  private val events: Gen[List[Event]] = Gen.listOfN(
    12,
    Gen.frequency(
      4 -> Gen.const(Quiet),
      1 -> Gen.const(Restart),
      2 -> Gen.listOfN(2, Gen.chooseNum(1L, 9L)).map(sizes => Append(sizes.toVector))
    )
  )

  /** Counted from the history itself; commit `n` was made at second `n + 1`. */
  private def counted(history: Vector[Vector[Long]], at: Position, now: Long): Map[String, String] = {
    val waiting = history.indices.drop(at.version.toInt)
    val next = at.index match {
      case IndexInVersion.File(index) => index.toInt + 1
      case _ => 0
    }
    val left = history.lift(at.version.toInt).toVector.flatMap(_.drop(next)) ++
      history.drop(at.version.toInt + 1).flatten
    val age =
      waiting.headOption.fold(BigDecimal(0))(version => (BigDecimal(now) - (version + 1) * 1000) / 1000)
    val files =
      if (at.inSnapshot) Map.empty
      else Map("numFilesOutstanding" -> left.size.toString, "numBytesOutstanding" -> left.sum.toString)
    Map("numVersionsOutstanding" -> waiting.size.toString, "secondsOutstanding" -> age.toString) ++ files
  }

  private def percent(history: Vector[Vector[Long]], at: Position): Option[String] = at match {
    case Position(version, IndexInVersion.File(index), true) =>
      val size = history.take(version.toInt + 1).map(_.size).sum
      Some(BigDecimal((index + 1) * 100).*(10)./(size).setScale(0, BigDecimal.RoundingMode.HALF_UP)./(10))
        .map(_.setScale(1).toString)
    case _ => None
  }

  private val outstanding =
    Set("numVersionsOutstanding", "numFilesOutstanding", "numBytesOutstanding", "secondsOutstanding")

  test("the report matches an independent count of the log, wherever the stream is") {
    forAll(Generators.history, Generators.limits, events, Gen.oneOf(true, false)) {
      case (commits, (files, bytes), events, fromSnapshot) =>
        val log = history(commits: _*)
        val start = Option.unless(fromSnapshot)(0L)
        def open(): DeltaStream = stream(log, start = start, listInterval = "0")
        var (running, written, from) = (open(), commits, Option.empty[Position])
        for (event <- events) {
          val end = running.latestOffset(from, Budget(files.toLong, bytes))
          if (end != from) {
            from.foreach(running.commit)
            running.files(running.batchStart(from, end.get), end.get)
          }
          val known = report(running, end)
          val expected = counted(written, end.get, 1000000)
          assert(known.filter { case (name, _) => outstanding(name) }.toSet.subsetOf(expected.toSet))
          assert(known.contains("secondsOutstanding"))
          assert(known.get("initialSnapshotPercent") == percent(written, end.get))
          if (known.get("numVersionsOutstanding").contains("1") && !end.exists(_.inSnapshot))
            assert(known.contains("numFilesOutstanding") && known.contains("numBytesOutstanding"))
          if (known.get("batchClosedBy").contains("endOfTable") && end != from)
            assert(expected.toSet.subsetOf(known.toSet))
          from = end
          event match {
            case Quiet => ()
            case Restart => running = open()
            case Append(sizes) =>
              log.append(written.size.toLong, sizes: _*)
              written :+= sizes
          }
        }
    }
  }

  test("after a restart the lag is known from the commits read to replay the batch") {
    val log = history(Vector(1, 1), Vector(1, 2, 4))
    val restarted = stream(log)
    restarted.files(at(0), at(1, IndexInVersion.File(0)))
    assert(lag(
      restarted,
      Some(at(1, IndexInVersion.File(0)))) == Seq(Some("1"), Some("2"), Some("6"), Some("998")))
    assert(!report(restarted, Some(at(1, IndexInVersion.File(0)))).contains("batchClosedBy"))
  }

  test("before its first batch a stream reports the lag of its start") {
    val running = stream(history(Vector(1)), start = Some(1))
    assert(running.latestOffset(None, Budget(1, 1)).isEmpty)
    assert(lag(running, None) == Seq.fill(4)(Some("0")))
  }

  test("reporting makes no call to the log") {
    def counts(reporting: Boolean): (Int, Int, Vector[Long], Int) = {
      val log = history(Vector.fill(20)(Vector(1L, 1L, 1L)): _*)
      val running = stream(log, start = None)
      var from = Option.empty[Position]
      Iterator.continually(running.latestOffset(from, Budget(7, 100))).takeWhile(_ != from).foreach { end =>
        if (reporting) running.progress.latestKnown
        running.files(running.batchStart(from, end.get), end.get)
        from = end
        if (reporting) report(running, end)
        running.commit(end.get)
      }
      if (reporting) report(running, from)
      (log.lookups, log.listings, log.reads, log.closed.size)
    }
    assert(counts(reporting = true) == counts(reporting = false))
  }

  test("a report does not change the state") {
    val running = stream(history(Vector(1, 1)))
    val end = running.latestOffset(None, Budget(1, 9))
    val before = running.state
    report(running, end)
    running.progress.latestKnown
    assert(running.state eq before)
  }

  test("an initial snapshot with a file left is never at 100 percent") {
    val running = stream(history(Vector.fill(3000)(1L)), start = None)
    val end = running.latestOffset(None, Budget(2999, 9999))
    assert(report(running, end).get("initialSnapshotPercent").contains("99.9"))
  }

  private def closed(name: String, log: => InMemoryTableLog, budget: Budget)(by: String): Unit =
    test(s"a batch closed by $name reports it") {
      val running = stream(log)
      val end = running.latestOffset(None, budget)
      assert(report(running, end).get("batchClosedBy").contains(by))
    }

  private val two = history(Vector(2, 2))
  private val wider = Metadata(id = "id", schemaString = new StructType().add("more", LongType).json)

  closed("the number of files", two, Budget(1, 9))("maxFilesPerTrigger")
  closed("the number of bytes", two, Budget(9, 1))("maxBytesPerTrigger")
  closed("the end of the table", two, Budget(9, 9))("endOfTable")
  closed("the end of the table, with its budget used up", two, Budget(2, 9))("endOfTable")
  closed("a gap", history(Vector(1), Vector(1), Vector(1)).remove(1), Budget(9, 9))("problem")
  closed(
    "a refused commit",
    history(Vector(1)).put(Commit(1, firstRemovedPath = Some("x"))),
    Budget(9, 9))("problem")
  closed(
    "a new schema",
    history(Vector(1)).put(Commit(1, metadata = Some(wider))),
    Budget(9, 9))("schemaChange")

  test("a batch closed by the end of its run reports it, and an idle trigger does not change that") {
    val running = stream(history(Vector(1, 1)))
    running.prepareForAvailableNow()
    val first = running.latestOffset(None, Budget(1, 9))
    assert(report(running, first).get("batchClosedBy").contains("maxFilesPerTrigger"))
    val last = running.latestOffset(first, Budget(1, 9))
    assert(report(running, last).get("batchClosedBy").contains("availableNow"))
    assert(running.latestOffset(last, Budget(1, 9)) == last)
    assert(report(running, last).get("batchClosedBy").contains("availableNow"))
  }

  test("the latest position is the end of the latest version seen, and none before the first") {
    val running = stream(history(Vector(1), Vector(1), Vector(1)))
    assert(running.progress.latestKnown.isEmpty)
    running.latestOffset(None, Budget(1, 9))
    assert(running.progress.latestKnown.contains(at(3)))
    val inside = stream(history(Vector(1, 1)), start = None)
    inside.latestOffset(None, Budget(1, 9))
    assert(inside.progress.latestKnown.contains(at(1)))
  }

  test("the latest position of a log that is too long to cache is its end") {
    val commits = LogTailCache.maxFiles + 1
    val running = stream(history(Vector.fill(commits)(Vector(1L)): _*))
    running.latestOffset(None, Budget(1, 9))
    assert(running.progress.latestKnown.contains(at(commits.toLong)))
  }

  test("the latest position includes the end of the run") {
    val log = history(Vector(1, 1))
    val running = stream(log, start = None)
    log.append(1, 1)
    running.prepareForAvailableNow()
    running.latestOffset(None, Budget(1, 9))
    assert(running.progress.latestKnown.contains(at(2)))
  }

  test("the latest position is never before an offset that was returned to the engine") {
    val running = stream(history(Vector(1)))
    val end = running.latestOffset(None, Budget(9, 9))
    running.stop()
    assert(running.progress.latestKnown == end)
  }

  test("the times of planning and building a batch are added, and the next planning starts at 0") {
    val watch = new Watch
    val running = stream(history(Vector(1)), watch)
    def took: Option[String] = report(running, None).get("planningTimeMs")
    assert(took.isEmpty)
    running.progress.planning(watch.ticks += 5)
    running.progress.building(watch.ticks += 7)
    assert(took.contains("12"))
    running.progress.planning(watch.ticks += 3)
    assert(took.contains("3"))
  }

  /** The names in the first column of a table in docs/reference/metrics.md. */
  private def documented(heading: String): Seq[String] = {
    val page = Files.readString(Path.of("docs", "reference", "metrics.md"))
    val table = page.linesIterator.dropWhile(!_.startsWith(heading)).drop(2).takeWhile(_.startsWith("|"))
    table.map(_.split('`')(1)).toSeq
  }

  test("docs/reference/metrics.md lists what is reported, and nothing else") {
    assert(documented("| name ") == Metric.all(StreamState(), None, None).map(_.name))
    val closings = Seq(
      BatchEndReason.MaxFiles,
      BatchEndReason.MaxBytes,
      BatchEndReason.EndOfTable,
      BatchEndReason.EndOfRun,
      BatchEndReason.SchemaChange,
      BatchEndReason.Failure
    )
    assert(documented("| `batchClosedBy` | the batch") == closings.map(Metric.word))
  }
}
