// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.delta.actions.DeletionVectorDescriptor
import org.apache.spark.sql.delta.stream.model.{FileList, IndexInVersion, Position, Problem}
import org.apache.spark.sql.delta.stream.plan.ScanStep.{Blocked, VersionFiles}
import org.apache.spark.sql.delta.testing.Generators
import org.apache.spark.sql.delta.testing.InMemoryTableLog.file
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class AppendPlannerSuite extends AnyFunSuite with ScalaCheckPropertyChecks {
  private val planner = new AppendPlanner(_ => true)
  private val start = at(0, IndexInVersion.Begin)

  private def at(version: Long, index: IndexInVersion) = Position(version, index, inSnapshot = false)

  private def steps(history: Vector[Vector[Long]], from: Position = start): Iterator[ScanStep] =
    history.zipWithIndex.drop(from.version.toInt).map { case (sizes, version) =>
      val files = sizes.zipWithIndex.map { case (size, i) => file(s"$version-$i", size) }
      VersionFiles(version.toLong, inSnapshot = false, FileList.of(files))
    }.iterator

  private def paths(plan: Plan): Vector[String] = plan.files.map(_.path)

  private def check(name: String, history: Vector[Vector[Long]], from: Position, budget: Budget)(
      files: Seq[String],
      end: Position
  ): Unit =
    test(name) {
      val plan = planner.plan(steps(history, from), from, budget)
      assert(paths(plan) == files && plan.end == end)
    }

  private val two = Vector(Vector(1L, 1L), Vector(1L, 1L))

  check("a batch ends inside a commit", two, start, Budget(1, 100))(Seq("0-0"), at(0, IndexInVersion.File(0)))
  check("a batch continues inside a commit", two, at(0, IndexInVersion.File(0)), Budget(1, 100))(
    Seq("0-1"),
    at(1, IndexInVersion.Begin)
  )
  check(
    "a full batch moves past commits without files",
    Vector(Vector(1L), Vector(), Vector(), Vector(1L)),
    start,
    Budget(1, 9)
  )(
    Seq("0-0"),
    at(3, IndexInVersion.Begin)
  )
  check(
    "a full batch moves to the end of the log",
    Vector(Vector(1L), Vector(), Vector()),
    start,
    Budget(1, 9)
  )(
    Seq("0-0"),
    at(3, IndexInVersion.Begin)
  )
  check("a file exceeds the byte limit", two, start, Budget(9, 1))(Seq("0-0"), at(0, IndexInVersion.File(0)))
  check(
    "nothing new leaves the position where it was",
    Vector.empty,
    at(0, IndexInVersion.File(3)),
    Budget(1, 1))(
    Nil,
    at(0, IndexInVersion.File(3))
  )
  check("an index beyond the commit moves to its end", two, at(0, IndexInVersion.File(9)), Budget(1, 1))(
    Seq("1-0"),
    at(1, IndexInVersion.File(0))
  )

  test("no further step is read once a file has to wait") {
    val drawn = steps(two) ++ Iterator.single(()).map(_ => fail("one commit too many was opened"))
    assert(planner.plan(drawn, start, Budget(1, 9)).files.size == 1)
  }

  test("consecutive batches with any limits read every file once and in order") {
    forAll(Generators.history, Generators.limits) { case (history, (files, bytes)) =>
      def batches(from: Position): Vector[String] = {
        val plan = planner.plan(steps(history, from), from, Budget(files.toLong, bytes))
        if (plan.advances) paths(plan) ++ batches(plan.end) else Vector.empty
      }
      val all = history.zipWithIndex.flatMap { case (sizes, version) =>
        sizes.indices.map(i => s"$version-$i")
      }
      assert(batches(start) == all)
    }
  }

  test("a range read again has the files it was planned with, and ends where it ended") {
    forAll(Generators.history, Generators.limits) { case (history, (files, bytes)) =>
      val plan = planner.plan(steps(history), start, Budget(files.toLong, bytes))
      val until = steps(history).takeWhile {
        case step: VersionFiles => !plan.end.endsBefore(step.version)
        case _ => true
      }
      val again = planner.planRange(until, start, plan.end)
      assert(paths(again) == paths(plan) && again.end == plan.end)
    }
  }

  test("cutting a range in two reads the same files as reading it whole") {
    forAll(Generators.history, Gen.chooseNum(0L, 7L), Generators.place) { (history, version, place) =>
      val cut = at(version.min(history.size - 1L), place).normalized
      val end = at(history.size.toLong, IndexInVersion.Begin)
      val upTo = steps(history).takeWhile(step => !cut.endsBefore(step.asInstanceOf[VersionFiles].version))
      val first = planner.planRange(upTo, start, cut)
      val second = planner.planRange(steps(history, cut), cut, end)
      assert(paths(first) ++ paths(second) == paths(planner.planRange(steps(history), start, end)))
    }
  }

  test("files before a blocked commit are planned, and the plan has the problem") {
    val problem = Problem.DeletedData(1, "x")
    val plan = planner.plan(steps(two.take(1)) ++ Iterator(Blocked(problem)), start, Budget.unlimited)
    assert(paths(plan) == Seq("0-0", "0-1") && plan.advances && plan.problem.contains(problem))
  }

  test("a plan that starts at a blocked commit does not advance") {
    val plan = planner.plan(Iterator(Blocked(Problem.DeletedData(0, "x"))), start, Budget.unlimited)
    assert(!plan.advances && plan.problem.nonEmpty)
  }

  test("a planned file keeps its deletion vector") {
    val vector = DeletionVectorDescriptor.inlineInLog(Array[Byte](1), cardinality = 1)
    val files = FileList.of(Vector(file("a"), file("b").copy(deletionVector = vector)))
    val plan = planner.plan(Iterator(VersionFiles(0, inSnapshot = false, files)), start, Budget.unlimited)
    assert(plan.files.map(file => Option(file.action.deletionVector)) == Seq(None, Some(vector)))
  }

  test("S2: files excluded by partition predicates cost nothing, and the others keep their index") {
    val odd = new AppendPlanner(_.path.last % 2 == 1)
    val history = Vector(Vector(1L, 1L, 1L, 1L))
    val plan = odd.plan(steps(history), start, Budget(1, 9))
    assert(paths(plan) == Seq("0-1"))
    val rest = odd.plan(steps(history, plan.end), plan.end, Budget(1, 9))
    assert(paths(rest) == Seq("0-3") && rest.end == at(1, IndexInVersion.Begin))
  }

  test("the snapshot's end is the beginning of the next version, outside it") {
    val files = FileList.of(Vector(file("a"), file("b")))
    val from = Position(4, IndexInVersion.Begin, inSnapshot = true)
    val whole = planner.plan(Iterator(VersionFiles(4, inSnapshot = true, files)), from, Budget.unlimited)
    assert(whole.end == at(5, IndexInVersion.Begin))
    val part = planner.plan(Iterator(VersionFiles(4, inSnapshot = true, files)), from, Budget(1, 9))
    assert(part.end == Position(4, IndexInVersion.File(0), inSnapshot = true))
  }

  test("B72: a schema change closes a batch, unless a limit was reached before it") {
    def ahead = steps(Vector(Vector(1L, 1L))) ++ Iterator.single(ScanStep.SchemaChange(1))
    assert(planner.plan(ahead, start, Budget(9, 9)).endReason == BatchEndReason.SchemaChange)
    assert(planner.plan(ahead, start, Budget(1, 9)).endReason == BatchEndReason.MaxFiles)
  }
}
