// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.nio.file.Files

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}

import org.apache.spark.sql.delta.files.TahoeBatchFileIndex
import org.apache.spark.sql.delta.stream.conf.{LogMemoryLimits, PrefetchLimits}
import org.apache.spark.sql.delta.stream.log.parse.CommitParser
import org.apache.spark.sql.delta.stream.log.{DeltaTableLog, LatestSnapshot, LogFolder, RefreshingHadoopConf}
import org.apache.spark.sql.delta.stream.model.CommitFile
import org.apache.spark.sql.delta.testing.{CountingFileSystem, JobCount, SourceFixture, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** What is held of a log, and what that may show in: nothing but the work. */
class DeltaSourceBoundsSuite extends AnyFunSuite with SourceFixture {
  private val nothingHeld = "spark.deltasource.log.heldCommitBytes" -> "0"
  private val nothingAhead = "spark.deltasource.log.readAheadCommits" -> "0"

  private val byOne = Seq("startingVersion" -> "1", "maxFilesPerTrigger" -> "1")

  private def table(): TestTable =
    TestTable().create().append(1L to 6L, files = 3).append(7L to 8L, files = 2)

  /** The log of a table alone, without a stream. */
  private def logOf(t: TestTable, heldCommitBytes: Long): DeltaTableLog = {
    val folder = new LogFolder(t.log.store, t.log.logPath, RefreshingHadoopConf.of(t.log))
    val newest = new LatestSnapshot(t.log, None, listInterval = 0)
    val bounds = LogMemoryLimits(heldCommitBytes, PrefetchLimits.none)
    new DeltaTableLog(t.log, None, CommitParser.Appends, folder, newest, bounds, _ => fail("no snapshot"))
  }

  test("commits that are not held, or not read ahead, give the same batches") {
    val t = table()
    val held = batches(sourceOf(t, byOne: _*))
    assert(held.map(_._1) == Seq(Seq(1, 2), Seq(3, 4), Seq(5, 6), Seq(7), Seq(8)))
    for (confs <- Seq(Seq(nothingHeld), Seq(nothingAhead), Seq(nothingHeld, nothingAhead)))
      withConf(confs: _*)(assert(batches(sourceOf(t, byOne: _*)) == held))
  }

  test("a predicate on partitions reads only their files") {
    val t = TestTable().create("id LONG, p LONG", "PARTITIONED BY (p)")
    t.sql(s"INSERT INTO ${t.name} SELECT id, id % 3 FROM range(9)")
    val source = sourceOf(t)
    val batch = source.getBatch(None, latest(source))
    assert(rows(batch.where("p = 1")) == Seq(1, 4, 7))
    assert(rows(batch.where("p > 0 AND id < 5")) == Seq(1, 2, 4))
  }

  test("files are handed to planning as they are where nothing is asked of their partitions") {
    val source = sourceOf(table())
    val plan = source.getBatch(None, latest(source)).queryExecution.analyzed
    val indexes = plan.collect { case LogicalRelation(files: HadoopFsRelation, _, _, _, _) => files.location }
    val served = indexes.collect { case index: TahoeBatchFileIndex =>
      for (asked <- Seq(Nil, Seq(Literal.TrueLiteral)))
        assert(index.matchingFiles(asked, Nil) eq index.addFiles)
      index.addFiles
    }
    assert(served.map(_.size) == Seq(5))
  }

  test("planning starts no job once a stream has begun, but one for a slice of a snapshot on the executors") {
    val t = TestTable().create().append(1L to 8L, files = 4).append(9L to 12L, files = 2)
    for ((driverFiles, most) <- Seq("200000" -> 0, "0" -> 1))
      withConf(
        "spark.deltasource.snapshot.driverFiles" -> driverFiles,
        "spark.sql.streaming.unsupportedOperationCheck" -> "false") {
        val source = sourceOf(t, "maxFilesPerTrigger" -> "1")
        val jobs = Iterator.unfold(latest(source)) { from =>
          lazy val end = latest(source, from)
          val started = JobCount.of(spark)(source.getBatch(Some(from), end).queryExecution.executedPlan)
          Option.when(end != from)((started, end))
        }
        val counted = jobs.toVector
        assert(counted.size >= 5 && counted.forall(_ <= most), counted)
      }
  }

  test("reading ahead asks the file system for nothing that is not asked for anyway") {
    val t = table()
    def asked: Int =
      withConf(CountingFileSystem.confs: _*)(CountingFileSystem.of(batches(sourceOf(t, byOne: _*))))
    val ahead = asked
    assert(withConf(nothingAhead)(asked) == ahead)
  }

  test("commits are opened with what a listing has shown of them, held ones and others") {
    val t = table()
    for ((confs, opened) <- Seq(Nil -> 2, Seq(nothingHeld) -> 4))
      withConf(CountingFileSystem.confs ++ confs: _*) {
        val source = sourceOf(t, "startingVersion" -> "1")
        assert(CountingFileSystem.knownOpens(batches(source)) == opened)
      }
  }

  test("a held commit that was replaced since it was listed, and cannot be read, is not called damaged") {
    val t = table()
    val log = logOf(t, heldCommitBytes = Long.MaxValue)
    val listed = log.find(2).getOrElse(fail("no commit"))
    t.writeCommit(2, """{"txn":{"appId":"a""")
    val found = log.find(2).getOrElse(fail("no commit"))
    def condition(file: CommitFile): String = intercept[Exception](log.read(file)) match {
      case e: SparkThrowable => e.getCondition
      case other => fail(other)
    }
    assert(condition(listed) == "DELTASOURCE_COMMIT_REPLACED")
    assert(condition(found) == "DELTASOURCE_UNREADABLE_COMMIT")
  }

  test(
    "the first batch of a stream from an older version lists the log three times, from the first one once") {
    val t = table()
    for ((version, listings) <- Seq("0" -> 1, "1" -> 3))
      withConf(CountingFileSystem.confs: _*) {
        val source = sourceOf(t, "startingVersion" -> version, "maxFilesPerTrigger" -> "1")
        assert(CountingFileSystem.listings(latest(source)) == listings)
      }
  }

  test("a commit that is not held and was replaced since it was judged is not read on") {
    val t = table()
    val log = logOf(t, heldCommitBytes = 0)
    val judged = log.find(1).flatMap(log.read).getOrElse(fail("no commit"))
    assert(judged.files.from(1).size == 2)
    val replaced = log.find(2).flatMap(log.read).getOrElse(fail("no commit"))
    t.writeCommit(2, """{"txn":{"appId":"a","version":1}}""")
    intercept[Exception](replaced.files.from(0).next()) match {
      case e: SparkThrowable => assert(e.getCondition == "DELTASOURCE_COMMIT_REPLACED")
      case other => fail(other)
    }
    val file = log.find(2).getOrElse(fail("no commit"))
    Files.delete(t.commitFile(2))
    assert(log.read(file).isEmpty)
    intercept[Exception](replaced.files.from(0).next()) match {
      case e: SparkThrowable => assert(e.getCondition == "DELTA_LOG_FILE_NOT_FOUND_FOR_STREAMING_SOURCE")
      case other => fail(other)
    }
  }
}
