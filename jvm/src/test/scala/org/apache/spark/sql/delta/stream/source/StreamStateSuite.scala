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

  private def read(version: Int) = LogTailCache.ReadCommit(files(version), Commit(version.toLong))

  /** Versions 0 to 5 are listed, and `versions` are parsed. */
  private def scanned(versions: Int*): StreamState = StreamState().scanned(
    versions.foldLeft(LogTailCache.empty.withListing(0, files, now = 10))((tail, version) =>
      tail.withRead(read(version))),
    None)

  private def plan(from: Long, to: Long): Plan = Plan.at(at(from)).advancedTo(at(to))

  test("a plan is remembered with the last commit it read, and the one before it as passed") {
    val state = scanned(2, 3).remember(plan(3, 4))
    assert(state.planned.exists(found => found.answers(at(3), at(4)) && found.last.contains(files(3))))
    assert(state.passed.contains(files(3)) && state.endReason.contains(BatchEndReason.EndOfTable))
  }

  test("a plan that moved nowhere leaves the end reason of the last batch as it was") {
    val moved = scanned().remember(plan(3, 4))
    assert(moved.remember(Plan.at(at(4)).withEndReason(BatchEndReason.Failure)).endReason == moved.endReason)
  }

  test("a batch that ends with its run says so") {
    val state = scanned().boundedBy(at(4), newest = 3, ticks = 20).remember(plan(3, 4))
    assert(state.endReason.contains(BatchEndReason.EndOfRun) && state.tail.newest.contains(3L))
    assert(scanned().boundedBy(at(6), newest = 5, ticks = 20).remember(plan(3, 4)).endReason
      .contains(BatchEndReason.EndOfTable))
  }

  test("a committed batch is forgotten, with what only batches up to it need") {
    val state = scanned(3).scanned(scanned(3).tail, Some(1L -> true)).remember(plan(3, 4))
    val done = state.committed(at(4))
    assert(done.planned.isEmpty && done.tail.parsed.isEmpty && done.changeFeed.at(4).contains(true))
    assert(state.committed(at(3)).planned.nonEmpty)
  }

  test("a new question does not trust an earlier listing, and forgets an old end of the log") {
    val state = scanned()
    assert(
      state.tail.isListingCurrent && !state.startScan.tail.isListingCurrent && state.startScan.tail.newest.contains(
        5L))
    assert(!state.startPlanning(since = 9).tail.isListingCurrent && state.startPlanning(since =
      9).tail.newest.contains(5L))
    assert(state.startPlanning(since = 10).tail.newest.isEmpty && state.scanFailed.tail.newest.isEmpty)
  }

  test("forgetting the log keeps the passed commit, unless commit files are rewritten") {
    val state = scanned().remember(plan(3, 4))
    assert(state.forgetLog(rewritten = false).passed == state.passed)
    val forgotten = state.forgetLog(rewritten = true)
    assert(forgotten.passed.isEmpty && forgotten.planned.isEmpty && forgotten.tail == LogTailCache.empty)
    assert(state.rescan.tail == LogTailCache.empty && state.rescan.planned == state.planned)
  }

  test("a checked start is checked once, and knows whether the change feed was on") {
    val state = StreamState().checkedStart(passed = true, version = 2, recordsChanges = Some(false))
    assert(state.startChecked && state.changeFeed.at(2).contains(false))
    assert(!StreamState().checkedStart(passed = false, version = 2, recordsChanges = None).startChecked)
  }

  test("planning starts a new sum, and building adds to it") {
    val planned = StreamState().timed(5, isPlanning = true)
    assert(planned.timed(2, isPlanning = false).planningMillis.contains(7L))
    assert(planned.timed(3, isPlanning = true).planningMillis.contains(3L))
  }
}
