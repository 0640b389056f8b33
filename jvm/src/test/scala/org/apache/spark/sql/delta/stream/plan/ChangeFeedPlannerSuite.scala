// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.delta.actions.{AddCDCFile, FileAction}
import org.apache.spark.sql.delta.stream.model.{FileList, IndexInVersion, Position, PositionCodec, SplitRule}
import org.apache.spark.sql.delta.stream.plan.ScanStep.VersionFiles
import org.apache.spark.sql.delta.testing.Generators
import org.apache.spark.sql.delta.testing.InMemoryTableLog.file
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

/** The ends of batches are those that delta-spark 4.4.0 gave to the same histories. */
class ChangeFeedPlannerSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  private type Version = (SplitRule, Seq[FileAction])

  private val planner = new ChangeFeedPlanner(!_.path.contains("q"))

  private def cut(paths: String*): Version = (SplitRule.Anywhere, paths.map(file(_)))
  private def pair(paths: String*): Version = (SplitRule.Nowhere, paths.map(file(_)))
  private def changes(paths: String*): Version =
    (SplitRule.ChangeFiles, paths.map(path => AddCDCFile(path, Map.empty, 1)))

  /** Version 0 creates the table. */
  private def steps(history: Seq[Version], from: Position): Iterator[ScanStep] =
    (cut() +: history).zipWithIndex.drop(from.version.toInt).map { case ((cut, files), version) =>
      VersionFiles(version.toLong, inSnapshot = false, FileList.of(files.toVector), cut)
    }.iterator

  private val start = Position(0, IndexInVersion.Begin, inSnapshot = false)

  private def batches(history: Seq[Version], budget: Budget): Vector[Plan] =
    Iterator
      .unfold(start) { from =>
        val plan = planner.plan(steps(history, from), from, budget)
        Option.when(plan.advances)((plan, plan.end))
      }
      .toVector

  /** As in an offset: the beginning of a version is -1. */
  private def asOffset(position: Position): (Long, Long) =
    (position.version, PositionCodec.toOffsetIndex(position.index).max(-1))

  private def check(name: String, history: Version*)(ends: (Int, Seq[(Long, Long)])*): Unit =
    for ((limit, expected) <- ends)
      test(s"$name, $limit files a batch") {
        assert(batches(history, Budget(limit.toLong, 1000)).map(plan => asOffset(plan.end)) == expected)
      }

  check("plain commits are cut at any file", cut("a", "b", "c"), cut("d", "e"))(
    1 -> Seq(1L -> 0L, 1L -> 1L, 2L -> -1L, 2L -> 0L, 3L -> -1L),
    2 -> Seq(1L -> 1L, 2L -> 0L, 3L -> -1L),
    3 -> Seq(2L -> -1L, 3L -> -1L),
    5 -> Seq(3L -> -1L)
  )
  check("change files are not split, and a batch ends at the last", changes("a", "b", "c"), cut("d", "e"))(
    1 -> Seq(1L -> -1L, 1L -> 2L, 2L -> 0L, 3L -> -1L),
    2 -> Seq(1L -> -1L, 1L -> 2L, 3L -> -1L),
    3 -> Seq(1L -> 2L, 3L -> -1L),
    5 -> Seq(3L -> -1L)
  )
  check("change files between plain commits", cut("a"), changes("b", "c", "d"), cut("e"))(
    1 -> Seq(2L -> -1L, 2L -> 2L, 4L -> -1L),
    3 -> Seq(2L -> -1L, 2L -> 2L, 4L -> -1L),
    5 -> Seq(4L -> -1L)
  )
  check("change files that wait do not advance the batch", changes("a"), changes("b", "c", "d"))(
    1 -> Seq(1L -> 0L, 2L -> 2L),
    3 -> Seq(1L -> 0L, 2L -> 2L),
    9 -> Seq(2L -> 2L)
  )
  check("change files after a commit without files", changes("a"), cut(), changes("b", "c", "d"))(
    1 -> Seq(1L -> 0L, 3L -> -1L, 3L -> 2L),
    2 -> Seq(3L -> -1L, 3L -> 2L)
  )
  check("a pair with vectors is not split, and its sentinels count", pair("r", "a"), cut("b", "c"))(
    1 -> Seq(1L -> -1L, 2L -> -1L, 2L -> 0L, 3L -> -1L),
    3 -> Seq(1L -> -1L, 2L -> -1L, 3L -> -1L),
    5 -> Seq(2L -> 0L, 3L -> -1L),
    9 -> Seq(3L -> -1L)
  )
  check("consecutive pairs", pair("r", "a"), pair("s", "b"), pair("t", "c"))(
    1 -> Seq(1L -> -1L, 2L -> -1L, 3L -> -1L, 4L -> -1L),
    5 -> Seq(2L -> -1L, 3L -> -1L, 4L -> -1L),
    99 -> Seq(4L -> -1L)
  )
  check("a pair after change files", changes("a"), pair("r", "b"))(
    1 -> Seq(1L -> 0L, 3L -> -1L),
    3 -> Seq(1L -> 0L, 3L -> -1L)
  )
  check("a merge that changed nothing, with vectors", cut("a"), pair(), cut("b"))(
    1 -> Seq(2L -> -1L, 3L -> -1L, 4L -> -1L),
    2 -> Seq(2L -> -1L, 4L -> -1L),
    3 -> Seq(3L -> -1L, 4L -> -1L),
    5 -> Seq(4L -> -1L)
  )
  check("a budget ends the batch after the version that exhausts it", cut("a"), cut(), cut(), cut("b"))(
    1 -> Seq(2L -> -1L, 5L -> -1L),
    2 -> Seq(5L -> -1L)
  )
  check("change files that are all excluded do not advance the batch", cut("a"), changes("q", "q"))(
    1 -> Seq(2L -> -1L),
    9 -> Seq(2L -> -1L)
  )
  check("a commit after excluded change files advances the batch", changes("q", "q"), cut("a"))(
    1 -> Seq(3L -> -1L)
  )
  check("some change files excluded", changes("q", "b", "c"), cut("d"))(
    1 -> Seq(1L -> -1L, 1L -> 2L, 3L -> -1L),
    2 -> Seq(1L -> 2L, 3L -> -1L)
  )
  check("the last change file excluded", changes("a", "b", "q"), cut("d"))(
    1 -> Seq(1L -> -1L, 1L -> 1L, 3L -> -1L)
  )
  check("the sentinels of an excluded pair count", pair("q", "q"), cut("a"))(
    1 -> Seq(1L -> -1L, 2L -> -1L, 3L -> -1L),
    2 -> Seq(2L -> -1L, 3L -> -1L),
    3 -> Seq(3L -> -1L)
  )

  test("without limits a batch reads to the end, past change files too") {
    val plan = planner.plan(steps(Seq(changes("a"), changes("b")), start), start, Budget.unlimited)
    assert(asOffset(plan.end) == (3L -> -1L))
  }

  private val histories: Gen[Vector[Version]] = Gen.choose(1, 6).flatMap { versions =>
    val version = Gen.oneOf[SplitRule](SplitRule.Anywhere, SplitRule.Nowhere, SplitRule.ChangeFiles).flatMap {
      kind =>
        Gen.choose(0, 4).map(count => (kind, (0 until count).map(i => s"$kind-$i")))
    }
    Gen.listOfN(versions, version).map(_.zipWithIndex.map { case ((kind, names), number) =>
      val files = names.map { name =>
        if (kind == SplitRule.ChangeFiles) AddCDCFile(s"$number-$name", Map.empty, 1)
        else file(s"$number-$name")
      }
      (kind, files: Seq[FileAction])
    }.toVector)
  }

  test("with any limits every file is read once and in order, and no version is split against its rule") {
    forAll(histories, Generators.limits) { case (history, (files, bytes)) =>
      val read = batches(history, Budget(files.toLong, bytes)).map(_.files.map(_.path))
      assert(read.flatten == history.flatMap(_._2.map(_.path)))
      for ((kind, files) <- history if kind != SplitRule.Anywhere && files.nonEmpty)
        assert(read.count(batch => files.exists(file => batch.contains(file.path))) == 1)
    }
  }

  test("a batch read again has the files it was planned with") {
    forAll(histories, Generators.limits) { case (history, (files, bytes)) =>
      for (plan <- batches(history, Budget(files.toLong, bytes))) {
        val until = steps(history, plan.from).takeWhile {
          case step: VersionFiles => !plan.end.endsBefore(step.version)
          case _ => true
        }
        val again = planner.planRange(until, plan.from, plan.end)
        assert(again.files.map(_.path) == plan.files.map(_.path) && again.end == plan.end)
      }
    }
  }

  private def endReason(budget: Budget)(history: Version*): BatchEndReason =
    planner.plan(steps(history, start), start, budget).endReason

  test("B72: a batch reports which limit closed it, whether a file or a whole commit had to wait") {
    assert(endReason(Budget(1, 99))(cut("a", "b")) == BatchEndReason.MaxFiles)
    assert(endReason(Budget(9, 1))(cut("a", "b")) == BatchEndReason.MaxBytes)
    assert(endReason(Budget(2, 99))(cut("a"), changes("b", "c")) == BatchEndReason.MaxFiles)
    assert(endReason(Budget(9, 2))(cut("a"), changes("b", "c")) == BatchEndReason.MaxBytes)
    assert(endReason(Budget(1, 99))(cut("a"), changes()) == BatchEndReason.MaxFiles)
    assert(endReason(Budget(9, 99))(cut("a"), pair("b", "c")) == BatchEndReason.EndOfTable)
  }

  test("B72: a schema change closes a batch") {
    val ahead = steps(Seq(cut("a")), start) ++ Iterator.single(ScanStep.SchemaChange(2))
    assert(planner.plan(ahead, start, Budget(9, 99)).endReason == BatchEndReason.SchemaChange)
  }
}
