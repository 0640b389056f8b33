// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.delta.actions.SetTransaction
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.prop.TableDrivenPropertyChecks

class VerdictSuite extends AnyFunSuite with TableDrivenPropertyChecks {

  private def marker(batch: Long, written: Option[Long] = Some(50L)): SetTransaction =
    SetTransaction("query", batch, written)

  test("a batch that the table does not have is written") {
    for {
      found <- Seq(None, Some(marker(3)))
      composed <- Seq(None, Some(40L), Some(60L))
      own <- Seq(None, found, Some(marker(3, None)))
    } assert(Verdict.of(4, composed, started = 50, found, own) == Verdict.Write)
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
      val expected = if (done) Verdict.Done(found) else Verdict.OtherRun(found)
      assert(Verdict.of(4, composed, started = 70, Some(found), own) == expected)
    }
  }
}
