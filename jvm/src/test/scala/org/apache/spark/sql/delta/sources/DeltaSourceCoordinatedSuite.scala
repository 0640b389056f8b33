// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.nio.file.{Files, Path}

import org.apache.spark.sql.delta.DeltaOptions
import org.apache.spark.sql.delta.stream.conf.{LogMemoryLimits, PrefetchLimits}
import org.apache.spark.sql.delta.stream.log.parse.CommitParser
import org.apache.spark.sql.delta.stream.log.{CoordinatedCommits, DeltaTableLog, LatestSnapshot}
import org.apache.spark.sql.delta.testing.{ManagedTables, SinkFixture, SourceFixture}
import org.scalatest.funsuite.AnyFunSuite

/** Tables whose commits a catalog knows before they are files of the log. */
class DeltaSourceCoordinatedSuite extends AnyFunSuite with SourceFixture with SinkFixture
    with ManagedTables {

  private final class Table(name: String, options: (String, String)*) extends ManagedTable(name) {

    def source(): DeltaSource = {
      val read = new DeltaOptions(options.toMap, spark.sessionState.conf)
      val snapshot = log.update(catalogTableOpt = Some(catalogTable))
      DeltaSource(spark, log, Some(catalogTable), read, snapshot, folder.checkpointFolder() + "/sources/0")
    }

    /** The log as a stream reads it that holds no commit. */
    def unheld(): DeltaTableLog = {
      val commits = new CoordinatedCommits(log, Some(catalogTable))
      val newest = new LatestSnapshot(log, Some(catalogTable), listInterval = 0)
      val bounds = LogMemoryLimits(heldCommitBytes = 0, PrefetchLimits.none)
      new DeltaTableLog(
        log,
        Some(catalogTable),
        CommitParser.Appends,
        commits,
        newest,
        bounds,
        _ => fail("no snapshot"))
    }
  }

  private def managed(name: String, options: (String, String)*): Table = {
    val table = new Table(name, options: _*)
    table.manage(1)
    table
  }

  test("a table that is handed to the catalog while a stream reads it is read on from there") {
    val t = new Table("handed", "startingVersion" -> "1")
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

  test("commits that are staged are read, and each once when they are published later") {
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

  test("M14: the catalog is asked once where nothing is new, and twice for a batch") {
    val t = managed("asked", "startingVersion" -> "1")
    t.append(1)
    val source = t.source()
    var end = latest(source)
    source.getBatch(None, end)
    for (id <- 2L to 6L) {
      assert(catalogCalls(assert(latest(source, end) == end)) == 1)
      t.append(id)
      val asked = catalogCalls {
        val next = latest(source, end)
        assert(rows(source.getBatch(Some(end), next)) == Seq(id))
        source.commit(end)
        end = next
      }
      // A commit that is published already is found without the catalog.
      assert(asked == (if (t.published(id + 1)) 1 else 2))
    }
  }

  test("a batch planned from a staged commit is read after its publication") {
    val t = managed("planned", "startingVersion" -> "1")
    t.append(1)
    val source = t.source()
    val end = latest(source)
    t.append(2, 3, 4)
    assert(t.published(2) && rows(source.getBatch(None, end)) == Seq(1))
    assert(rows(t.source().getBatch(None, end)) == Seq(1))
  }

  test("a commit that is not held and was staged when it was judged is read where it was published") {
    val t = managed("moved")
    t.append(1)
    val log = t.unheld()
    val staged = log.find(2).getOrElse(fail("no commit"))
    val judged = log.read(staged).getOrElse(fail("no commit"))
    t.append(2, 3, 4)
    Files.delete(Path.of(staged.status.getPath.toUri))
    assert(t.published(2) && judged.files.from(0).size == 1)
  }

  test("a stream that writes finds its batches among staged and published commits") {
    val t = managed("written")
    val rows = new Rows
    def run() = writeByName(rows.frame, "written", t.folder).flatMap(told(_).get("batchSkipped"))
    for (batch <- 0 to 4) {
      rows.add(1)
      assert(run() == Seq("false"))
      t.append(100)
      forget(t.folder, batch.toLong)
      assert(run() == Seq("true"))
    }
    assert(t.published(4))
    assert(spark.table("written").collect().toSeq.map(_.getLong(0)).sorted == (0L to 4L) ++ Seq.fill(5)(100L))
  }

  test("the initial snapshot holds what is staged") {
    val t = managed("held")
    t.append(1, 2)
    assert(batches(t.source()).flatMap(_._1).sorted == Seq(1, 2))
  }
}
