// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.spark.sql.delta.stream.log.LogTailCache
import org.apache.spark.sql.delta.stream.model.{Commit, CommitFile, IndexInVersion, Position}
import org.apache.spark.sql.delta.stream.plan.{BatchEndReason, Plan}
import org.apache.spark.sql.delta.testing.InMemoryTableLog
import org.scalatest.funsuite.AnyFunSuite

/** Each transition of the state, as values. */
class StreamStateSuite extends AnyFunSuite {
  private val log = (0L to 5L).foldLeft(new InMemoryTableLog)((log, version) => log.append(version, 1))
  private val files: Vector[CommitFile] = log.list(0)

  private def at(version: Long) = Position(version, IndexInVersion.Begin, inSnapshot = false)

  private def read(version: Int) = LogTailCache.ParsedCommit(files(version), Commit(version.toLong))

  /** Versions 0 to 5 are listed, and `versions` are parsed. */
  private def scanned(versions: Int*): StreamState = StreamState().scanned(
    versions.foldLeft(LogTailCache.empty.withListing(0, files, now = 10))((tail, version) =>
      tail.withParsed(read(version))),
    None)

  private def plan(from: Long, to: Long): Plan = Plan.empty(at(from)).advancedTo(at(to))

  test("a plan is kept with the last commit it read, which is then the last passed commit") {
    val state = scanned(2, 3).batchPlanned(plan(3, 4))
    assert(state.lastPlan.exists(found => found.answers(at(3), at(4)) && found.lastCommit.contains(files(3))))
    assert(state.lastPassedCommit.contains(files(3)) && state.endReason.contains(BatchEndReason.EndOfTable))
  }

  test("a plan that does not advance keeps the end reason of the last batch") {
    val moved = scanned().batchPlanned(plan(3, 4))
    assert(moved.batchPlanned(
      Plan.empty(at(4)).withEndReason(BatchEndReason.Failure)).endReason == moved.endReason)
  }

  test("a batch that ends with its run has that as its end reason") {
    val state = scanned().runEndResolved(at(4), latest = 3, now = 20).batchPlanned(plan(3, 4))
    assert(state.endReason.contains(BatchEndReason.EndOfRun) && state.tail.latestVersion.contains(3L))
    assert(scanned().runEndResolved(at(6), latest = 5, now = 20).batchPlanned(plan(3, 4)).endReason
      .contains(BatchEndReason.EndOfTable))
  }

  test("a committed batch is dropped, with what only batches up to it need") {
    val state = scanned(3).scanned(scanned(3).tail, Some(1L -> true)).batchPlanned(plan(3, 4))
    val done = state.batchCommitted(at(4))
    assert(done.lastPlan.isEmpty && done.tail.parsed.isEmpty && done.changeFeed.at(4).contains(true))
    assert(state.batchCommitted(at(3)).lastPlan.nonEmpty)
  }

  test("a new call does not use an earlier listing, and drops an old end of the log") {
    val state = scanned()
    assert(
      state.tail.isListingCurrent && !state.scanStarted.tail.isListingCurrent && state.scanStarted.tail.latestVersion.contains(
        5L))
    assert(!state.planningStarted(staleBefore =
      9).tail.isListingCurrent && state.planningStarted(staleBefore =
      9).tail.latestVersion.contains(5L))
    assert(state.planningStarted(staleBefore =
      10).tail.latestVersion.isEmpty && state.scanFailed.tail.latestVersion.isEmpty)
  }

  test("clearing the cache keeps the last passed commit, unless commit files are rewritten") {
    val state = scanned().batchPlanned(plan(3, 4))
    assert(state.cacheCleared(rewritten = false).lastPassedCommit == state.lastPassedCommit)
    val forgotten = state.cacheCleared(rewritten = true)
    assert(
      forgotten.lastPassedCommit.isEmpty && forgotten.lastPlan.isEmpty && forgotten.tail == LogTailCache.empty)
    assert(state.tailCleared.tail == LogTailCache.empty && state.tailCleared.lastPlan == state.lastPlan)
  }

  test("a checked start is not checked again, and records whether the change feed was on") {
    val state = StreamState().startChecked(isValid = true, version = 2, allowsBatchStart = Some(false))
    assert(state.isStartChecked && state.changeFeed.at(2).contains(false))
    assert(!StreamState().startChecked(isValid = false, version = 2, allowsBatchStart = None).isStartChecked)
  }

  test("planning starts a new planning time, and building adds to it") {
    val planned = StreamState().timed(5, isPlanning = true)
    assert(planned.timed(2, isPlanning = false).planningMillis.contains(7L))
    assert(planned.timed(3, isPlanning = true).planningMillis.contains(3L))
  }
}
