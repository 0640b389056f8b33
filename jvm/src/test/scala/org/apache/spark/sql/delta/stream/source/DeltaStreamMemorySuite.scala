// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.spark.sql.delta.actions.Metadata
import org.apache.spark.sql.delta.stream.model.{Commit, FileList, Position}
import org.apache.spark.sql.delta.stream.plan.Budget
import org.apache.spark.sql.delta.testing.InMemoryTableLog
import org.scalatest.funsuite.AnyFunSuite

class DeltaStreamMemorySuite extends AnyFunSuite with DeltaStreamFixture {

  /** Follows commits that each have a file and write the metadata; answers how much history each batch has left. */
  private def heldOf(running: DeltaStream, end: Long): Vector[Int] = {
    var held = Vector.empty[Int]
    Iterator
      .iterate(Option.empty[Position]) { from =>
        val end = running.latest(from, Budget(100, Long.MaxValue))
        for (to <- end if !from.contains(to)) {
          running.files(from.getOrElse(at(0)), to)
          running.commit(to)
        }
        held :+= running.state.changeFeed.enabledFrom.size
        end
      }
      .drop(1)
      .find(_.contains(at(end)))
    held
  }

  private def described(commits: Long, metadata: Long => Metadata): InMemoryTableLog = {
    val log = new InMemoryTableLog
    for (version <- 0L until commits) {
      val files = FileList.of(Vector(InMemoryTableLog.file(version.toString)))
      log.put(Commit(version, files, metadata = Some(metadata(version))))
    }
    log
  }

  test("M3: 10,000 commits that each write the metadata leave no trace in the state") {
    val running = stream(described(10000, version => Metadata(id = "id", description = s"$version")))
    val held = heldOf(running, 10000)
    assert(held.size >= 100 && held.max <= 2)
    assert(running.state.tail.files.size <= 50000 && running.state.tail.parsed.size <= 2)
  }

  test("M3: a change feed that is turned off and on again leaves no trace once its batches are committed") {
    // Off for a version in the middle of each batch: a batch that begins there would fail.
    def feed(version: Long) = Map("delta.enableChangeDataFeed" -> s"${version % 100 != 50}")
    val log = described(1000, version => Metadata(id = "id", configuration = feed(version)))
    val held =
      heldOf(stream(log, settings("startingVersion" -> "0", "readChangeFeed" -> "true")()), 1000)
    assert(held.size >= 10 && held.max <= 2)
  }
}
