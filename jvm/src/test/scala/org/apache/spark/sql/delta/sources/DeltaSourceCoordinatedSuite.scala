// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.nio.file.{Files, Path}

import org.apache.spark.sql.delta.DeltaOptions
import org.apache.spark.sql.delta.stream.conf.PrefetchLimits
import org.apache.spark.sql.delta.stream.log.parse.CommitParser
import org.apache.spark.sql.delta.stream.log.{CoordinatedCommits, DeltaTableLog, LatestSnapshotProvider}
import org.apache.spark.sql.delta.testing.{ManagedTables, SinkFixture, SourceFixture}
import org.scalatest.funsuite.AnyFunSuite

/** Catalog-managed tables, whose commits are staged before they are published to the log. */
class DeltaSourceCoordinatedSuite extends AnyFunSuite with SourceFixture with SinkFixture
    with ManagedTables {

  private final class Table(name: String, options: (String, String)*) extends ManagedTable(name) {

    def source(): DeltaSource = {
      val read = new DeltaOptions(options.toMap, spark.sessionState.conf)
      val snapshot = log.update(catalogTableOpt = Some(catalogTable))
      DeltaSource(spark, log, Some(catalogTable), read, snapshot, folder.checkpointFolder() + "/sources/0")
    }

    /** The log of a stream that caches no commits. */
    def uncachedLog(): DeltaTableLog = {
      val commits = new CoordinatedCommits(log, Some(catalogTable))
      val newest = new LatestSnapshotProvider(log, Some(catalogTable), listInterval = 0)
      new DeltaTableLog(
        log,
        Some(catalogTable),
        CommitParser.AppendOnly,
        commits,
        newest,
        maxInMemoryCommitBytes = 0,
        PrefetchLimits.none,
        _ => fail("no snapshot"))
    }
  }

  private def managed(name: String, options: (String, String)*): Table = {
    val table = new Table(name, options: _*)
    table.manage(1)
    table
  }

  test("a stream continues when its table becomes catalog-managed") {
    val t = new Table("upgraded", "startingVersion" -> "1")
    t.append(1)
    val source = t.source()
    val first = latest(source)
    assert(rows(source.getBatch(None, first)) == Seq(1))
    t.manage(2)
    t.append(2)
    val second = latest(source, first)
    assert(!t.published(3) && rows(source.getBatch(Some(first), second)) == Seq(2))
    t.append(3)
    val third = latest(source, second)
    assert(rows(source.getBatch(Some(second), third)) == Seq(3))
  }

  test("staged commits are read, and not once more after they are published") {
    val t = managed("staged", "startingVersion" -> "1")
    t.append(1, 2)
    val source = t.source()
    val first = latest(source)
    assert(rows(source.getBatch(None, first)) == Seq(1, 2) && !t.published(3))
    t.append(3, 4, 5)
    assert(t.published(3))
    val second = latest(source, first)
    assert(rows(source.getBatch(Some(first), second)) == Seq(3, 4, 5) && latest(source, second) == second)
  }

  test("M14: the catalog is called once if nothing is new, and twice for a batch") {
    val t = managed("called", "startingVersion" -> "1")
    t.append(1)
    val source = t.source()
    var end = latest(source)
    source.getBatch(None, end)
    for (id <- 2L to 6L) {
      assert(catalogCalls(assert(latest(source, end) == end)) == 1)
      t.append(id)
      val calls = catalogCalls {
        val next = latest(source, end)
        assert(rows(source.getBatch(Some(end), next)) == Seq(id))
        source.commit(end)
        end = next
      }
      // A commit that is published already is found without the catalog.
      assert(calls == (if (t.published(id + 1)) 1 else 2))
    }
  }

  test("a batch planned from a staged commit can be read after the commit is published") {
    val t = managed("planned", "startingVersion" -> "1")
    t.append(1)
    val source = t.source()
    val end = latest(source)
    t.append(2, 3, 4)
    assert(t.published(2) && rows(source.getBatch(None, end)) == Seq(1))
    assert(rows(t.source().getBatch(None, end)) == Seq(1))
  }

  test("an uncached commit that was staged when it was first read is read from its published file") {
    val t = managed("moved")
    t.append(1)
    val log = t.uncachedLog()
    val staged = log.find(2).getOrElse(fail("no commit"))
    val commit = log.read(staged).getOrElse(fail("no commit"))
    t.append(2, 3, 4)
    Files.delete(Path.of(staged.status.getPath.toUri))
    assert(t.published(2) && commit.files.from(0).size == 1)
  }

  test("the sink finds its batches in staged and published commits") {
    val t = managed("written")
    val rows = new Rows
    def run() = writeByName(rows.frame, "written", t.folder).flatMap(sinkMetrics(_).get("batchSkipped"))
    for (batch <- 0 to 4) {
      rows.add(1)
      assert(run() == Seq("false"))
      t.append(100)
      removeFromCommitLog(t.folder, batch.toLong)
      assert(run() == Seq("true"))
    }
    assert(t.published(4))
    assert(spark.table("written").collect().toSeq.map(_.getLong(0)).sorted == (0L to 4L) ++ Seq.fill(5)(100L))
  }

  test("the initial snapshot contains staged commits") {
    val t = managed("held")
    t.append(1, 2)
    assert(batches(t.source()).flatMap(_._1).sorted == Seq(1, 2))
  }
}
