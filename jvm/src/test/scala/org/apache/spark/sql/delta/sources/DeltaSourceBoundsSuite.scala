// Copyright 2026 The deltasource authors
// SPDX-License-Identifier: Apache-2.0

package org.apache.spark.sql.delta.sources

import java.nio.file.Files

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}

import org.apache.spark.sql.delta.files.TahoeBatchFileIndex
import org.apache.spark.sql.delta.stream.conf.PrefetchLimits
import org.apache.spark.sql.delta.stream.log.parse.CommitParser
import org.apache.spark.sql.delta.stream.log.{
  DeltaTableLog,
  LatestSnapshotProvider,
  LogFolder,
  RefreshingHadoopConf
}
import org.apache.spark.sql.delta.stream.model.CommitFile
import org.apache.spark.sql.delta.testing.{CountingFileSystem, JobCount, SourceFixture, TestTable}
import org.scalatest.funsuite.AnyFunSuite

/** Limits on caching and prefetching. They may change the cost of a batch, never its rows. */
class DeltaSourceBoundsSuite extends AnyFunSuite with SourceFixture {
  private val noCache = "spark.deltasource.log.maxInMemoryCommitBytes" -> "0"
  private val noPrefetch = "spark.deltasource.log.prefetchCommits" -> "0"

  private val oneFileBatches = Seq("startingVersion" -> "1", "maxFilesPerTrigger" -> "1")

  private def table(): TestTable =
    TestTable().create().append(1L to 6L, files = 3).append(7L to 8L, files = 2)

  /** The log of a table, opened without a stream. */
  private def logOf(t: TestTable, maxInMemoryCommitBytes: Long): DeltaTableLog = {
    val folder = new LogFolder(t.log.store, t.log.logPath, RefreshingHadoopConf.of(t.log))
    val newest = new LatestSnapshotProvider(t.log, None, listInterval = 0)
    new DeltaTableLog(
      t.log,
      None,
      CommitParser.AppendOnly,
      folder,
      newest,
      maxInMemoryCommitBytes,
      PrefetchLimits.none,
      _ => fail("no snapshot"))
  }

  test("commits that are not cached, or not prefetched, give the same batches") {
    val t = table()
    val expected = batches(sourceOf(t, oneFileBatches: _*))
    assert(expected.map(_._1) == Seq(Seq(1, 2), Seq(3, 4), Seq(5, 6), Seq(7), Seq(8)))
    for (confs <- Seq(Seq(noCache), Seq(noPrefetch), Seq(noCache, noPrefetch)))
      withConf(confs: _*)(assert(batches(sourceOf(t, oneFileBatches: _*)) == expected))
  }

  test("a partition predicate reads only the files of these partitions") {
    val t = TestTable().create("id LONG, p LONG", "PARTITIONED BY (p)")
    t.sql(s"INSERT INTO ${t.name} SELECT id, id % 3 FROM range(9)")
    val source = sourceOf(t)
    val batch = source.getBatch(None, latest(source))
    assert(rows(batch.where("p = 1")) == Seq(1, 4, 7))
    assert(rows(batch.where("p > 0 AND id < 5")) == Seq(1, 2, 4))
  }

  test("without a partition predicate, the file index returns its own list of files") {
    val source = sourceOf(table())
    val plan = source.getBatch(None, latest(source)).queryExecution.analyzed
    val indexes = plan.collect { case LogicalRelation(files: HadoopFsRelation, _, _, _, _) => files.location }
    val addFiles = indexes.collect { case index: TahoeBatchFileIndex =>
      for (filters <- Seq(Nil, Seq(Literal.TrueLiteral)))
        assert(index.matchingFiles(filters, Nil) eq index.addFiles)
      index.addFiles
    }
    assert(addFiles.map(_.size) == Seq(5))
  }

  test("after the first batch, planning starts no job, or one per slice of a snapshot on the executors") {
    val t = TestTable().create().append(1L to 8L, files = 4).append(9L to 12L, files = 2)
    for ((maxFilesOnDriver, maxJobs) <- Seq("200000" -> 0, "0" -> 1))
      withConf(
        "spark.deltasource.snapshot.maxFilesOnDriver" -> maxFilesOnDriver,
        "spark.sql.streaming.unsupportedOperationCheck" -> "false") {
        val source = sourceOf(t, "maxFilesPerTrigger" -> "1")
        val jobs = Iterator.unfold(latest(source)) { from =>
          lazy val end = latest(source, from)
          val started = JobCount.of(spark)(source.getBatch(Some(from), end).queryExecution.executedPlan)
          Option.when(end != from)((started, end))
        }
        val counted = jobs.toVector
        assert(counted.size >= 5 && counted.forall(_ <= maxJobs), counted)
      }
  }

  test("prefetching makes no additional file system calls") {
    val t = table()
    def operations: Int =
      withConf(CountingFileSystem.confs: _*)(CountingFileSystem.of(batches(sourceOf(t, oneFileBatches: _*))))
    val withPrefetch = operations
    assert(withConf(noPrefetch)(operations) == withPrefetch)
  }

  test("commits are opened with the file status from a listing, cached or not") {
    val t = table()
    for ((confs, opened) <- Seq(Nil -> 2, Seq(noCache) -> 4))
      withConf(CountingFileSystem.confs ++ confs: _*) {
        val source = sourceOf(t, "startingVersion" -> "1")
        assert(CountingFileSystem.opensWithStatus(batches(source)) == opened)
      }
  }

  test("an unreadable commit that was replaced after it was listed is reported as replaced") {
    val t = table()
    val log = logOf(t, maxInMemoryCommitBytes = Long.MaxValue)
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
    "the first batch lists the log only before the last checkpoint, and twice for a later version than 0") {
    val t = table()
    def listings(options: (String, String)*): Int = withConf(CountingFileSystem.confs: _*) {
      val source = sourceOf(t, options :+ "maxFilesPerTrigger" -> "1": _*)
      CountingFileSystem.listings(latest(source))
    }
    val starts = Seq(Nil, Seq("startingVersion" -> "0"), Seq("startingVersion" -> "1"))
    assert(starts.map(listings(_: _*)) == Seq(0, 0, 2))
    t.checkpoint().append(8L to 9L)
    assert(starts.map(listings(_: _*)) == Seq(0, 1, 3))
    val atLatest = "startingVersion" -> t.version.toString
    assert(listings(atLatest) == 0 && listings(atLatest, "readChangeFeed" -> "true") == 1)
  }

  test("files of an uncached commit cannot be read after the commit was replaced or deleted") {
    val t = table()
    val log = logOf(t, maxInMemoryCommitBytes = 0)
    val unchanged = log.find(1).flatMap(log.read).getOrElse(fail("no commit"))
    assert(unchanged.files.from(1).size == 2)
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

  test("B84: an idle source waits before it looks again, until the query is stopped") {
    val source = sourceOf(TestTable().create().append(Seq(1)))
    val end = latest(source)
    def look(): Unit = {
      val _ = assert(latest(source, end) == end)
    }
    val idleSince = System.nanoTime()
    while (System.nanoTime() - idleSince < 600000000L) look()
    try {
      Thread.currentThread.interrupt()
      intercept[InterruptedException](look())
    } finally { val _ = Thread.interrupted() }
  }
}
