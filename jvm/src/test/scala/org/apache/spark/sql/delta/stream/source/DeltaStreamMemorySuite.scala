// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.stream.source

import org.apache.spark.sql.delta.actions.Metadata
import org.apache.spark.sql.delta.stream.model.{Commit, FileList, Position}
import org.apache.spark.sql.delta.stream.plan.Budget
import org.apache.spark.sql.delta.testing.InMemoryTableLog
import org.scalatest.funsuite.AnyFunSuite

class DeltaStreamMemorySuite extends AnyFunSuite with DeltaStreamFixture {

  /** Reads commits that add a file and write the metadata. Returns the history's size after each batch. */
  private def historySizes(running: DeltaStream, end: Long): Vector[Int] = {
    var sizes = Vector.empty[Int]
    Iterator
      .iterate(Option.empty[Position]) { from =>
        val end = running.latestOffset(from, Budget(100, Long.MaxValue))
        for (to <- end if !from.contains(to)) {
          running.files(from.getOrElse(at(0)), to)
          running.commit(to)
        }
        sizes :+= running.state.changeFeed.enabledFrom.size
        end
      }
      .drop(1)
      .find(_.contains(at(end)))
    sizes
  }

  private def logWith(commits: Long, metadata: Long => Metadata): InMemoryTableLog = {
    val log = new InMemoryTableLog
    for (version <- 0L until commits) {
      val files = FileList.of(Vector(InMemoryTableLog.file(version.toString)))
      log.put(Commit(version, files, metadata = Some(metadata(version))))
    }
    log
  }

  test("M3: 10,000 commits that each write the metadata do not make the state grow") {
    val running = stream(logWith(10000, version => Metadata(id = "id", description = s"$version")))
    val sizes = historySizes(running, 10000)
    assert(sizes.size >= 100 && sizes.max <= 2)
    assert(running.state.tail.files.size <= 50000 && running.state.tail.parsed.size <= 2)
  }

  test("M3: a change feed turned off and on does not make the state grow once batches are committed") {
    // Off for a version in the middle of each batch: a batch that begins there would fail.
    def feed(version: Long) = Map("delta.enableChangeDataFeed" -> s"${version % 100 != 50}")
    val log = logWith(1000, version => Metadata(id = "id", configuration = feed(version)))
    val sizes =
      historySizes(stream(log, settings("startingVersion" -> "0", "readChangeFeed" -> "true")()), 1000)
    assert(sizes.size >= 10 && sizes.max <= 2)
  }
}
