// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.delta.stream.model.{IndexInVersion, Position, Problem}
import org.apache.spark.sql.delta.stream.plan.LatestOffsetDecision.{Advance, Fail, Inputs, Stay}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.prop.TableDrivenPropertyChecks

class LatestOffsetDecisionSuite extends AnyFunSuite with TableDrivenPropertyChecks {
  private val from = Position(3, IndexInVersion.Begin, inSnapshot = false)
  private val end = Position(4, IndexInVersion.Begin, inSnapshot = false)
  private val start = Problem.OffsetBeyondTable(3, 2)
  private val replaced = Problem.ReplacedCommit(2, "2.json")
  private val afterData = Problem.DeletedData(4, "a")

  private val nothing = Plan.empty(from)
  private val blocked = nothing.blocked(afterData)
  private val moved = nothing.advancedTo(end)
  private val both = moved.blocked(afterData)

  private val cases = Table(
    ("first", "plan", "start", "log", "answer"),
    (false, nothing, None, None, Stay),
    (true, nothing, None, None, Stay),
    (false, moved, None, None, Advance(end)),
    (true, moved, None, None, Advance(end)),
    // Data first.
    (false, both, None, None, Advance(end)),
    (true, both, None, None, Advance(end)),
    (false, blocked, None, None, Fail(afterData)),
    (true, blocked, None, None, Fail(afterData)),
    // No data of another log is delivered.
    (false, moved, None, Some(replaced), Fail(replaced)),
    (false, nothing, None, Some(replaced), Fail(replaced)),
    (false, blocked, None, Some(replaced), Fail(replaced)),
    // A start problem comes before both.
    (false, moved, Some(start), Some(replaced), Fail(start)),
    (false, both, Some(start), None, Fail(start)),
    // A new stream reports the problem that planning found instead.
    (true, both, Some(start), Some(replaced), Fail(afterData)),
    (true, moved, Some(start), None, Fail(start)),
    (true, nothing, Some(start), None, Fail(start))
  )

  test("a start problem comes first, then a log problem, then data, then the problem after the data") {
    forAll(cases) { (first, plan, start, log, answer) =>
      assert(LatestOffsetDecision.of(Inputs(first, plan, start, log)) == answer)
    }
  }
}
