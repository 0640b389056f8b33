// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.sink

import org.apache.spark.sql.delta.actions.SetTransaction
import org.apache.spark.sql.delta.stream.sink.BatchDecision.{PlannedBatch, Run}
import org.scalatest.funsuite.AnyFunSuite
import org.scalatest.prop.TableDrivenPropertyChecks

class BatchDecisionSuite extends AnyFunSuite with TableDrivenPropertyChecks {

  private def txn(batch: Long, written: Option[Long] = Some(50L)): SetTransaction =
    SetTransaction("query", batch, written)

  test("a batch that the table does not have is written") {
    for {
      found <- Seq(None, Some(txn(3)))
      plannedAt <- Seq(None, Some(40L), Some(60L))
      last <- Seq(None, found, Some(txn(3, None)))
      lastBatch <- Seq(None, Some(3L), Some(4L))
    } assert(BatchDecision.of(
      PlannedBatch(4, plannedAt),
      Run(50, lastBatch),
      found,
      last) == BatchDecision.Write)
  }

  test("a table without the batch before lacks earlier ones, unless there are none") {
    val cases = Seq(
      (0, None, false),
      (1, None, true),
      (4, None, true),
      (4, Some(txn(3)), false),
      (4, Some(txn(4)), false),
      (4, Some(txn(2)), true),
      (0, Some(txn(0)), false))
    for ((batch, found, expected) <- cases)
      assert(BatchDecision.lacksEarlierBatches(PlannedBatch(batch.toLong, None), found) == expected)
  }

  private val cases = Table(
    ("found", "plannedAt", "last", "done"),
    // The first batch of a run: it was planned before its SetTransaction was written, or that is unknown.
    (txn(4), Some(40L), None, true),
    (txn(4), Some(50L), None, true),
    (txn(4), None, None, true),
    (txn(4, None), Some(60L), None, true),
    (txn(4), Some(0L), None, true),
    // It was planned after that.
    (txn(4), Some(51L), None, false),
    // It was planned by this run, so another run has written the SetTransaction.
    (txn(4, Some(99L)), Some(70L), None, false),
    (txn(4, Some(99L)), Some(69L), None, true),
    (txn(4, None), Some(70L), None, false),
    // Later batches: this run has written the SetTransaction itself, or another run has.
    (txn(4), Some(40L), Some(txn(4)), true),
    (txn(4), Some(40L), Some(txn(3)), false),
    (txn(4), Some(40L), Some(txn(4, Some(49L))), false),
    // A run that is behind another run.
    (txn(5), Some(40L), None, false),
    (txn(5), None, Some(txn(5)), false)
  )

  test("a batch that the table has is already committed if it may be a replay, else by another run") {
    forAll(cases) { (found, plannedAt, last, done) =>
      val expected =
        if (done) BatchDecision.AlreadyCommitted(found) else BatchDecision.CommittedByOtherRun(found)
      assert(BatchDecision.of(PlannedBatch(4, plannedAt), Run(70, None), Some(found), last) == expected)
    }
  }

  test("M15: if the checkpoint has the last planned batch, no other driver's clock decides about a replay") {
    def of(plannedAt: Long, lastBatch: Long) =
      BatchDecision.of(
        PlannedBatch(4, Some(plannedAt)),
        Run(70, Some(lastBatch)),
        Some(txn(4, Some(99L))),
        None)
    // The clock of the driver that planned the batch is ahead of ours by more than the restart took.
    assert(of(plannedAt = 90, lastBatch = 4) == BatchDecision.AlreadyCommitted(txn(4, Some(99L))))
    // The batch was planned by this run, whose clock has been set back since.
    assert(of(plannedAt = 60, lastBatch = 3) == BatchDecision.CommittedByOtherRun(txn(4, Some(99L))))
  }
}
