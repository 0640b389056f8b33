// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.plan

import org.apache.spark.sql.delta.stream.plan.Answer.{Findings, Move, Stay, Stop}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.prop.TableDrivenPropertyChecks

class AnswerSuite extends AnyFunSuite with TableDrivenPropertyChecks {
  private val from = Position(3, Place.Begin, inSnapshot = false)
  private val end = Position(4, Place.Begin, inSnapshot = false)
  private val start = Problem.BeyondTable(3, 2)
  private val replaced = Problem.ReplacedCommit(2, "2.json")
  private val met = Problem.DeletedData(4, "a")

  private val nothing = Plan.at(from)
  private val barred = nothing.barred(met)
  private val moved = nothing.reaching(end)
  private val both = moved.barred(met)

  private val cases = Table(
    ("first", "plan", "start", "log", "answer"),
    (false, nothing, None, None, Stay),
    (true, nothing, None, None, Stay),
    (false, moved, None, None, Move(end)),
    (true, moved, None, None, Move(end)),
    // Good data first.
    (false, both, None, None, Move(end)),
    (true, both, None, None, Move(end)),
    (false, barred, None, None, Stop(met)),
    (true, barred, None, None, Stop(met)),
    // Nothing of another log is delivered.
    (false, moved, None, Some(replaced), Stop(replaced)),
    (false, nothing, None, Some(replaced), Stop(replaced)),
    (false, barred, None, Some(replaced), Stop(replaced)),
    // Where the run starts comes before both.
    (false, moved, Some(start), Some(replaced), Stop(start)),
    (false, both, Some(start), None, Stop(start)),
    // A new stream says what it has met instead.
    (true, both, Some(start), Some(replaced), Stop(met)),
    (true, moved, Some(start), None, Stop(start)),
    (true, nothing, Some(start), None, Stop(start))
  )

  test("start, then log, then good data, then what comes after it") {
    forAll(cases) { (first, plan, start, log, answer) =>
      assert(Answer.of(Findings(first, plan, start, log)) == answer)
    }
  }
}
