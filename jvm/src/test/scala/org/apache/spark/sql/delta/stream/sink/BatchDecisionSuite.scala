// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.delta.actions.SetTransaction
import org.apache.spark.sql.delta.stream.sink.BatchDecision.{Planned, Run}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.prop.TableDrivenPropertyChecks

class BatchDecisionSuite extends AnyFunSuite with TableDrivenPropertyChecks {

  private def marker(batch: Long, written: Option[Long] = Some(50L)): SetTransaction =
    SetTransaction("query", batch, written)

  test("a batch that the table does not have is written") {
    for {
      found <- Seq(None, Some(marker(3)))
      composed <- Seq(None, Some(40L), Some(60L))
      own <- Seq(None, found, Some(marker(3, None)))
      resumes <- Seq(None, Some(3L), Some(4L))
    } assert(BatchDecision.of(Planned(4, composed), Run(50, resumes), found, own) == BatchDecision.Write)
  }

  private val cases = Table(
    ("found", "composed", "own", "done"),
    // The first batch of a run: it was there before the marker was written, or nobody can tell.
    (marker(4), Some(40L), None, true),
    (marker(4), Some(50L), None, true),
    (marker(4), None, None, true),
    (marker(4, None), Some(60L), None, true),
    (marker(4), Some(0L), None, true),
    // It was not.
    (marker(4), Some(51L), None, false),
    // It was put together by this run, so another one has written the marker.
    (marker(4, Some(99L)), Some(70L), None, false),
    (marker(4, Some(99L)), Some(69L), None, true),
    (marker(4, None), Some(70L), None, false),
    // Later ones: the run has written the marker itself, or somebody else has.
    (marker(4), Some(40L), Some(marker(4)), true),
    (marker(4), Some(40L), Some(marker(3)), false),
    (marker(4), Some(40L), Some(marker(4, Some(49L))), false),
    // A run that is behind.
    (marker(5), Some(40L), None, false),
    (marker(5), None, Some(marker(5)), false)
  )

  test("a batch that the table has is done if it can be the same, and else of another run") {
    forAll(cases) { (found, composed, own, done) =>
      val expected =
        if (done) BatchDecision.AlreadyCommitted(found) else BatchDecision.CommittedByOtherRun(found)
      assert(BatchDecision.of(Planned(4, composed), Run(70, None), Some(found), own) == expected)
    }
  }

  test("M15: where the checkpoint was asked, no clock of another driver decides whether a batch is handed over again") {
    def of(composed: Long, resumes: Long) =
      BatchDecision.of(Planned(4, Some(composed)), Run(70, Some(resumes)), Some(marker(4, Some(99L))), None)
    // The driver that planned the batch was ahead of this one by more than the restart took.
    assert(of(composed = 90, resumes = 4) == BatchDecision.AlreadyCommitted(marker(4, Some(99L))))
    // The batch was planned by this run, whose clock was set back since.
    assert(of(composed = 60, resumes = 3) == BatchDecision.CommittedByOtherRun(marker(4, Some(99L))))
  }
}
